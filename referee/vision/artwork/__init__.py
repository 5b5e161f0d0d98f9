"""Finding boards that carry no markers, by their artwork: start at `find`."""
