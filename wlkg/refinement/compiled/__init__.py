"""What the kernels of refinement share: threads, mixing functions, a sort, arcs as arrays."""
