"""What foundation models see of relations: ULTRA and MOTIF."""
