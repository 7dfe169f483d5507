"""Questions about graphs that the tests answer."""
