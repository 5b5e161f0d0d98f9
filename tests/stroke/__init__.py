"""Small pictures of ink, and what strokes they are read as."""
