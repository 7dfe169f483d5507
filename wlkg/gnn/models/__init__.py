"""Plain GNN, R-GCN, R-GCN + MLP, CompGCN, k-RN and C-MPNN as PyTorch modules."""
