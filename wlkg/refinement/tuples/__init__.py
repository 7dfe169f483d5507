"""The tests that colour K-tuples of vertices; `tuple_tests` has their rules and runs them."""
