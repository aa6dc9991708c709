"""`python -m evaluation FEATURE FOLDER`: score the product on the sets in a folder, as a table or as JSON."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluation import cards, concepts, questions, tutor, vocabulary
from evaluation.material import Figures, LeftOut, Material, Score, Scorer, hide_tracebacks
from studium.core.domain.errors import MissingPart

FEATURES: Mapping[str, Mapping[str, Scorer]] = {
    "cards": cards.SETS,
    "questions": questions.SETS,
    "vocabulary": vocabulary.SETS,
    "concepts": concepts.SETS,
    "tutor": tutor.SETS,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Score the chosen features and print the figures."""
    asked = _parser().parse_args(arguments)
    for folder in (asked.folder, asked.documents):
        if folder is not None and not folder.is_dir():
            sys.exit(f"{folder} is not a folder.")
    hide_tracebacks()
    if not asked.json:
        print("| set | figures |\n|---|---|")
    figures = {}
    for feature in FEATURES if asked.feature == "all" else (asked.feature,):
        if scored := _score_feature(feature, asked):
            figures[feature] = scored
    if asked.json:
        print(json.dumps(figures, ensure_ascii=False))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation", description="Score the product on labelled material.")
    parser.add_argument("feature", choices=[*FEATURES, "all"])
    parser.add_argument("folder", type=Path, help="has one subfolder for each feature; missing sets are left out")
    parser.add_argument(
        "--documents", type=Path, help="a folder with the documents to ask about and those named in validator.json"
    )
    parser.add_argument(
        "--answers",
        type=Path,
        default=Path(".evaluation", "answers.md"),
        help="the file for the tutor's answers, which a person judges (%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--verbose", action="store_true", help="print every wrong case to stderr")
    return parser


def _score_feature(feature: str, asked: argparse.Namespace) -> dict[str, Figures | str]:
    """The figures of each set of a feature in the folder."""
    figures = {}
    with TemporaryDirectory(prefix="studium-evaluation-") as home:
        material = Material(asked.folder / feature, Path(home), asked.answers, asked.documents)
        for name, scorer in FEATURES[feature].items():
            try:
                score = scorer(material)
            except (LeftOut, MissingPart) as missing:
                score = Score(f"left out: {missing}")
                if asked.json:
                    print(f"{feature} {name}: {score.figures}", file=sys.stderr)
            else:
                figures[name] = score.figures
            if not asked.json:
                print(f"| {feature} {name} | {_text(score.figures)} |", flush=True)
            for case in (*score.notes, *(score.wrong if asked.verbose else ())):
                print(f"{feature} {name}: {case}", file=sys.stderr)
    return figures


def _text(figures: Figures | str) -> str:
    if isinstance(figures, str):
        return figures
    return ", ".join(f"{name} {figure}" for name, figure in figures.items())


if __name__ == "__main__":
    main()
