"""The process of a run: its standard streams, the signals it heeds, and its exit status."""
