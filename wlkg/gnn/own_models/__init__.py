"""Models of users' own: loaded from their code, run with care, and held against the tests."""
