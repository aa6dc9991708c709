"""Whether two concepts are one idea: what they say, in one language, and what sets them apart."""
