"""The tests that colour vertices."""
