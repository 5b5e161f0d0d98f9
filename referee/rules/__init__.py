"""Facts in, verdict out: the rulebook as a program.  Standard library only."""
