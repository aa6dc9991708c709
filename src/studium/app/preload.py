"""What the process of every job needs and is slow to import: imported once, in the process they are forked from."""

import comrak
import genanki
import numpy as np
import onnxruntime

from studium.core.features import all_features, all_job_types

__all__ = ["comrak", "genanki", "np", "onnxruntime"]

all_job_types()
for feature in all_features():
    for graph in feature.graphs.load():
        graph.draw()
