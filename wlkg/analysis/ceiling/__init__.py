"""The best that any model bounded by a WL test can do on given labels."""
