"""Graphs to look at: where vertices are drawn, and the colourings of small graphs."""
