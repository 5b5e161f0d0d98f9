"""From ink to a path: centreline, width, and the order in which it was drawn."""
