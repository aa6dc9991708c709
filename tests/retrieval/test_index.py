"""Passages are found by their words and by what they mean."""

import subprocess
import sys

import numpy as np
import pytest
from conftest_names import passage

from studium.retrieval import Index
from studium.retrieval.words import words_asked, words_of
