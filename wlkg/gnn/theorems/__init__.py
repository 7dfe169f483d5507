"""The paper's constructions: weights that simulate a test, and translations between models."""
