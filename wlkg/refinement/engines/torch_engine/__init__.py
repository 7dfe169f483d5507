"""Vertex tests on tensors of PyTorch: on a CPU or a GPU."""
