"""The WL tests at work: `refine` runs one, vertex tests in `vertices`, tuple tests in `tuples`."""
