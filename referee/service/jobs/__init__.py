"""Long work: the job table, the bell that tells workers of it, the worker's process and who watches it."""
