"""Plain GNN, R-GCN, R-GCN + MLP, CompGCN and k-RN as PyTorch modules."""
