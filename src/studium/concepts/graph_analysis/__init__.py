"""The whole graph: looked over, and drawn."""
