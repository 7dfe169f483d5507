"""Users' own models: loaded from their code, run, checked, and compared with WL tests."""
