"""One folder a faculty; each reads graph.py first."""
