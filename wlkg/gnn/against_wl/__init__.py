"""Models compared with the WL tests that bound them."""
