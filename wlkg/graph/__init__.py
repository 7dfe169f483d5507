"""Multi-relational graphs as immutable values of triples, names and labels."""
