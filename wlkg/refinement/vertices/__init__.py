"""The tests that colour vertices; `vertex_tests` has their rules and runs them."""
