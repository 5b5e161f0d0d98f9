"""From a picture to ink on a flat board: decode, find the board, flatten, segment."""
