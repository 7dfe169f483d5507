"""Large graphs made by a rule or after a real one, written to disk piece by piece."""
