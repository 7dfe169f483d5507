"""Models held against the WL tests that bound them."""
