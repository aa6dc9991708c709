"""What the shells need to know about cards."""

from studium.core.features import Feature, Ref, Tile

FEATURE = Feature(
    name="cards",
    summary="Turn Obsidian notes into Anki cards, and keep them in sync.",
    tile=Tile("style", "Turns notes into Anki cards and keeps them in sync.", "card", "made", "Sync a vault"),
    cli=Ref("studium.cards.cli:app"),
    skills=Ref("studium.cards.skills:SKILLS"),
    rules=Ref("studium.cards.setup:card_rules"),
    jobs=Ref("studium.cards.jobs:JOB_TYPES"),
    graphs=Ref("studium.cards.setup:GRAPHS"),
    samples=Ref("studium.cards.samples:SAMPLES"),
    routes=(Ref("studium.cards.api:router"),),
    pages=(Ref("studium.cards.web"),),
    preload=(Ref("studium.cards.graph"), Ref("studium.cards.rules.skill_rules")),
)
