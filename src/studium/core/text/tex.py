"""Reads formulas, and writes each as MathML on a line as soon as it is read; run by `mathml` as a program."""

import json
import sys

from math_core import LatexError, LatexToMathML


def main() -> None:
    """Read a JSON list of formulas, each with whether it stands on lines of its own; null for one that is wrong."""
    converter = LatexToMathML(allow_unreliable_rendering=True, fancy_error=False)
    for tex, is_display in json.load(sys.stdin):
        try:
            said = converter.convert_with_local_state(tex, displaystyle=is_display)
        except LatexError:
            said = None
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
