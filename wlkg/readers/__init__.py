"""Reading graphs, and tables about their vertices."""
