"""Imports what jobs need and is slow to import, once, in the process that job processes are forked from."""

import comrak
import genanki
import numpy as np
import onnxruntime

from studium.core.features import all_features, all_job_types

__all__ = ["comrak", "genanki", "np", "onnxruntime"]

all_job_types()
for feature in all_features():
    for module in feature.preload:
        module.load()
