"""What the counts mean: credit, errors, overlaps, significance, systems, perturbation."""
