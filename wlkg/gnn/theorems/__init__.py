"""The paper's constructions: weights that simulate a test, models as other models."""
