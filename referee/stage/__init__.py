"""Stage files: SVG to `Stage`, checking, the clean print as pixels, and the print as PDF."""
