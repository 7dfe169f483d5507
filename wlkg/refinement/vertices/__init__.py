"""The tests that colour vertices: rules and engines in `vertex_tests`."""
