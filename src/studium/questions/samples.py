"""The sample documents, and the questions that are made from them."""

from pathlib import Path

from studium.core.config import Settings
from studium.core.samples import SampleResult, Samples
from studium.questions.use_cases import GenerationRequest, generate_questions, write_result


class QuestionSamples(Samples):
    """A corpus of documents whose questions are written to a JSON file."""

    feature = "questions"
    position = 2
    run_argument = "root"
    results = ("questions.json",)

    async def make(self, settings: Settings, folder: Path) -> SampleResult:
        """Generate questions from the corpus."""
        out = folder / "questions.json"
        documents = folder / "samples" / "questions"
        request = GenerationRequest(documents, settings.questions.target_count, scenario="rag_eval")
        generated = await generate_questions(settings, request, resume=True)
        write_result(out, generated.corpus_result())
        refused = sum(len(document.rejected) for document in generated.documents)
        return SampleResult(self.feature, f"{len(generated.pairs)} questions", str(out), left_out=f"{refused} refused")


SAMPLES = QuestionSamples()
