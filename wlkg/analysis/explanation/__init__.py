"""Why a test separates: formulas, unfolding trees, and what a model has learned."""
