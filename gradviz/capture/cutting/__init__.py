"""How a value flows on where its gradient history ended: what the cuts observer is made of."""
