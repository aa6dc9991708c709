"""The sample transcript of a lab, and what the tutor says about it."""

from pathlib import Path

from studium.core.app import open_app
from studium.core.config import Settings
from studium.core.samples import SampleResult, Samples
from studium.tutor.setup import error_detector
from studium.tutor.transcripts import read_history
from studium.tutor.use_cases import tutor_for_lab

_LAB = "02-static-routing"
_QUESTION = "Why is the next hop refused?"


class TutorSamples(Samples):
    """A transcript whose mistakes are explained on a page."""

    feature = "tutor"
    position = 5
    run_argument = "learn"
    editable_results = ("tutor.md",)
    user_files = ("student/*", "patterns/*")

    async def make(self, settings: Settings, folder: Path) -> SampleResult:
        """Explain the mistakes in the transcript, and answer a question about it."""
        page, transcript = folder / "tutor.md", folder / "samples" / "tutor" / "static-routes.txt"
        typed = read_history(transcript).typed
        diagnosed = zip(typed, error_detector(settings).detect_all(typed), strict=True)
        mistakes = [(each.command, found) for each, found in diagnosed if found]
        # Search by words alone: to search by meaning, every page would have to be embedded first. What the tutor
        # learns from the transcript is not saved: it says nothing about the user.
        async with open_app(settings.model_copy(update={"embedder": "none"})) as app:
            answer = await tutor_for_lab(app, _LAB, transcript).ask(_QUESTION)
        explained = [f"- `{command}`: {found.diagnosis} {found.fix}" for command, found in mistakes]
        sources = [f"[{each['number']}] {each['source']}: {each['heading']}" for each in answer["citations"]]
        lines = ("# Static routes", "", *explained, "", f"## {_QUESTION}", "", answer["response"], "", *sources, "")
        page.write_text("\n".join(lines), "utf-8")
        return SampleResult(self.feature, f"{len(mistakes)} diagnoses", str(page))


SAMPLES = TutorSamples()
