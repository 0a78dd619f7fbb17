"""What others' frameworks make of the studies' problems, run beside Gridmark's variants (docs/peers.md)."""
