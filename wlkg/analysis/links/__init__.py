"""Link prediction: the best ranks that any model bounded by a WL test can give to true links."""
