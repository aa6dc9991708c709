"""A program that `mathml` runs: reads formulas and prints each as a line of MathML as soon as it is done."""

import json
import sys

from math_core import LatexError, LatexToMathML


def main() -> None:
    """Read a JSON list of formulas, each with whether it is displayed as a block; print null for an invalid one."""
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
