"""What the shells need to know about concepts."""

from studium.core.features import Feature, Ref, Tile

FEATURE = Feature(
    name="concepts",
    summary="Turn book quotes into linked concepts.",
    tile=Tile("hub", "Turns quotes into linked concepts.", "concept", "kept", "Open the graph"),
    cli=Ref("studium.concepts.cli:app"),
    skills=Ref("studium.concepts.skills:SKILLS"),
    rules=Ref("studium.concepts.setup:concept_rules"),
    jobs=Ref("studium.concepts.jobs:JOB_TYPES"),
    count=Ref("studium.concepts.graph_cache:count_concepts"),
    graphs=Ref("studium.concepts.setup:GRAPHS"),
    samples=Ref("studium.concepts.samples:SAMPLES"),
    routes=(Ref("studium.concepts.api:router"),),
    pages=(Ref("studium.concepts.web"),),
    preload=(Ref("studium.concepts.concept_extract"), Ref("studium.concepts.rules")),
    mcp=Ref("studium.concepts.mcp:MCP"),
    after_review=("concepts.extract", "book"),
)
