"""Initial states of foreign systems, generated from a seed. All their words are our own."""
