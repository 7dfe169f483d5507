"""What a model has learned: formulas that are true of exactly the vertices of each class."""
