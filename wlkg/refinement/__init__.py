"""Running WL tests: `refine` runs any of them; `vertices` and `tuples` hold the algorithms."""
