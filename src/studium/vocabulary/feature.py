"""What the shells need to know about vocabulary."""

from studium.core.features import Feature, Ref, Tile

FEATURE = Feature(
    name="vocabulary",
    summary="Learn the words of songs.",
    tile=Tile("translate", "Turns a song into words to learn.", "song", "read", "Add a song"),
    cli=Ref("studium.vocabulary.cli:app"),
    skills=Ref("studium.vocabulary.skills:SKILLS"),
    rules=Ref("studium.vocabulary.setup:vocabulary_rules"),
    jobs=Ref("studium.vocabulary.jobs:JOB_TYPES"),
    count=Ref("studium.vocabulary.setup:count_songs"),
    graphs=Ref("studium.vocabulary.setup:GRAPHS"),
    samples=Ref("studium.vocabulary.samples:SAMPLES"),
    routes=(Ref("studium.vocabulary.api:router"),),
    pages=(Ref("studium.vocabulary.web"),),
    preload=(Ref("studium.vocabulary.graph"), Ref("studium.vocabulary.rules")),
    mcp=Ref("studium.vocabulary.mcp:MCP"),
    command="vocab",
)
