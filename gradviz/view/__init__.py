"""Stage 3: shows results. Knows nothing of torch; what is shown is decided in scene, how it looks in theme."""
