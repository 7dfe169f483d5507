"""Training models that predict links, and ranking with them."""
