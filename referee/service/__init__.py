"""The page and what surrounds it: here clocks are read, and nowhere else."""
