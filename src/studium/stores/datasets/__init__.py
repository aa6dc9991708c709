"""Datasets: accepted questions as files that other tools read."""
