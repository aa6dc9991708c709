"""What every job's process needs and is slow to load; it is loaded once, in the process that they are forked from."""

import comrak
import genanki
import numpy as np
import onnxruntime

import studium.app.graphs

__all__ = ["comrak", "genanki", "np", "onnxruntime", "studium"]
