"""What the shells need to know about questions."""

from studium.core.features import Feature, Ref, Tile

FEATURE = Feature(
    name="questions",
    summary="Make validated question/answer sets from documents.",
    tile=Tile("quiz", "Turns a document into checked questions.", "question", "made", "Generate questions"),
    cli=Ref("studium.questions.cli:app"),
    skills=Ref("studium.questions.skills:SKILLS"),
    rules=Ref("studium.questions.setup:question_rules"),
    jobs=Ref("studium.questions.jobs:JOB_TYPES"),
    graphs=Ref("studium.questions.setup:GRAPHS"),
    samples=Ref("studium.questions.use_cases:SAMPLES"),
    routes=(Ref("studium.questions.api:router"),),
    pages=(Ref("studium.questions.web"),),
    preload=(
        Ref("studium.questions.graph"),
        Ref("studium.questions.rules.duplicate_detection.same_question"),
        Ref("studium.questions.rules.generation.generate"),
        Ref("studium.questions.rules.validation.validate"),
    ),
    mcp=Ref("studium.questions.mcp:MCP"),
    # A model that checks its own questions confirms itself.
    must_differ=(("questions.generator", "questions.validator"),),
)
