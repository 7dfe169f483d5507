"""Models that users bring along."""
