"""The tests that colour K-tuples of vertices: rules and the run in `tuple_tests`."""
