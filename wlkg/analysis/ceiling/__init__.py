"""The best scores that any model bounded by a WL test can reach on given labels."""
