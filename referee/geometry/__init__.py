"""A path laid over a stage: facts in path order, each with its margin and uncertainty."""
