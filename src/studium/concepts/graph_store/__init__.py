"""Stores of the concept graph, all behind one port."""
