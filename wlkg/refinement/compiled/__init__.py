"""What compiled code needs: kernels, threads, mixing functions."""
