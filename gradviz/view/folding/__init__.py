"""What can be folded and what is open: graph -> tape -> fold tree -> the parts that a picture shows open."""
