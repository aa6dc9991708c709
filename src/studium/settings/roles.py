"""Who answers: the roles of every faculty; what stands under a field is its line in docs/configuration.md."""

from studium.settings.values import Role, Section


class CardRoles(Section):
    """Who answers for the cards faculty."""

    mapper: Role | None = None
    """Turns a note into a card; without it, `roles.default`."""
    qa: Role | None = None
    """Judges a card against its note; without it, `roles.default`."""
    style: Role | None = None
    """Polishes a card, if `agents.style.polish` is on; without it, `roles.default`."""


class QuestionRoles(Section):
    """Who answers for the questions faculty."""

    generator: Role | None = None
    """Asks a question about a document and answers it; without it, `roles.default`."""
    deduplicator: Role | None = None
    """Says whether two questions ask the same; without it, `roles.default`."""
    validator: Role | None = None
    """Answers the question anew and compares; without it, `roles.default`."""


class VocabularyRoles(Section):
    """Who answers for the vocabulary faculty."""

    agent: Role | None = None
    """Finds the lyrics and chooses the words; without it, `roles.default`."""
    extractor: Role | None = None
    """Finds words in lyrics; without it, `roles.default`."""


class ConceptRoles(Section):
    """Who answers for the concepts faculty."""

    summarizer: Role | None = None
    """Summarises books and tells who wrote them; without it, `roles.default`."""
    extractor: Role | None = None
    """Draws concepts from quotes, and mends what the critic names; without it, `roles.default`."""
    judge: Role | None = None
    """Says whether two concepts are the same; without it, `roles.default`."""
    searcher: Role | None = None
    """Makes texts to search related concepts by; without it, `roles.default`."""
    relator: Role | None = None
    """Says how two concepts relate; without it, `roles.default`."""
    critic: Role | None = None
    """Answers the six points of the checklist; without it, `roles.default`."""
    editor: Role | None = None
    """Puts what you say in a review into practice; without it, `roles.default`."""


class TutorRoles(Section):
    """Who answers for the tutor."""

    teacher: Role | None = None
    """Explains how things are; without it, `roles.default`."""
    troubleshooter: Role | None = None
    """Looks at the devices and says what is wrong; without it, `roles.default`."""
    editor: Role | None = None
    """Says it plainly; without it, `roles.default`."""


class Roles(Section):
    """Who answers for each role: `rules`, or a model as `provider:model`."""

    default: Role = "rules"
    """Who answers where nothing else is said."""
    cards: CardRoles = CardRoles()
    questions: QuestionRoles = QuestionRoles()
    vocabulary: VocabularyRoles = VocabularyRoles()
    concepts: ConceptRoles = ConceptRoles()
    tutor: TutorRoles = TutorRoles()
