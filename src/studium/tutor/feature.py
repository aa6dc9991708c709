"""What the shells need to know about the tutor."""

from studium.core.features import Feature, Ref, Tile

FEATURE = Feature(
    name="tutor",
    summary="Learn networking on labs with real routers.",
    tile=Tile("router", "Networking labs, a command line, and a tutor beside it.", "lab", "to try", "Open a lab"),
    cli=Ref("studium.tutor.cli:app"),
    skills=Ref("studium.tutor.skills:SKILLS"),
    rules=Ref("studium.tutor.setup:tutor_rules"),
    jobs=Ref("studium.tutor.jobs:JOB_TYPES"),
    count=Ref("studium.tutor.lab_use_cases:count_labs"),
    graphs=Ref("studium.tutor.setup:GRAPHS"),
    samples=Ref("studium.tutor.samples:SAMPLES"),
    routes=(Ref("studium.tutor.api:tutor_router"), Ref("studium.tutor.api:labs_router")),
    pages=(Ref("studium.tutor.web"),),
    preload=(Ref("studium.tutor.tutor"), Ref("studium.tutor.rules.answers")),
    mcp=Ref("studium.tutor.mcp:MCP"),
)
