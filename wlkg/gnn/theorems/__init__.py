"""The paper's constructions: weights that simulate a test, and models as other models."""
