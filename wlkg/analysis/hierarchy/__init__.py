"""How many pairs of graphs each test separates."""
