"""Stage 1: reads live tensors and autograd nodes into plain results. The only part of gradviz that imports torch."""
