"""What compiled code shares: kernels, threads, mixing functions, a sort, arcs as arrays."""
