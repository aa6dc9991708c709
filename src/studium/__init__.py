"""Studium turns what a learner reads, hears and configures into study material checked against its source."""

import os

__version__ = "0.1.0"

# Our matrices are small: with more threads, numpy's cores only wait for each other, and a parse costs twice the time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
