"""Benchmarks. Compare the ratios within one run; absolute times depend on the machine."""
