"""How relations are said to people."""

from studium.domain.concept import RelationType

SAID = {
    RelationType.GENERALIZES: "generalizes",
    RelationType.SPECIFIC_OF: "is a case of",
    RelationType.PART_OF: "is part of",
    RelationType.HAS_PART: "has as a part",
    RelationType.SUPPORTS: "supports",
    RelationType.SUPPORTED_BY: "is supported by",
    RelationType.OPPOSES: "opposes",
    RelationType.SIMILAR_TO: "is like",
    RelationType.RELATES_TO: "relates to",
}
"""Every relation, as it stands between two titles."""

DRAWN = {
    kind: SAID[kind]
    for kind in SAID
    if kind not in (RelationType.SPECIFIC_OF, RelationType.HAS_PART, RelationType.SUPPORTED_BY)
}
"""The relations on the map, which shows each pair of directions once."""
