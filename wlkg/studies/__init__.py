"""Studies: models trained on a data set with many seeds, and the questions that they answer."""
