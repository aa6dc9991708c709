"""The one place that names concrete minds and stores and puts the house together."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium import __version__
from studium.domain.budget import Limits
from studium.domain.errors import BadSettings
from studium.domain.ports import Embedder
from studium.minds.chat import ChatMind
from studium.minds.embeddings.likeness import Likeness
from studium.minds.prompts import check_prompts
from studium.minds.providers import ModelSpec, check_spec
from studium.minds.roles import RoleMind
from studium.minds.rules import RulesMind
from studium.observe.redact import hide
from studium.settings import ModelSettings, Settings
from studium.stores.ledger import Ledger
from studium.workflows.cards import rules as card_rules
from studium.workflows.cards import skills as card_skills
from studium.workflows.cards.state import CardPolicy
from studium.workflows.questions import rules as question_rules
from studium.workflows.questions import skills as question_skills
from studium.workflows.questions.policy import QuestionPolicy
from studium.workflows.vocabulary import rules as vocabulary_rules
from studium.workflows.vocabulary import skills as vocabulary_skills

if TYPE_CHECKING:
    from studium.running.cards.pairing import CardSync
    from studium.running.cards.sinks import Openers, Sink
    from studium.running.cards.syncing import Radius
    from studium.running.cluster.runner import ClusterRunner
    from studium.running.job import Job
    from studium.running.questions.asking import Asking
    from studium.running.questions.estimate import Part
    from studium.running.questions.job import QuestionWork
    from studium.running.runner import Runner
    from studium.running.vocabulary.learning import Voice
    from studium.running.vocabulary.songs import Songs
    from studium.workflows.vocabulary.songlexicon import SongLexicon
    from studium.workflows.vocabulary.tools import FindLyrics

SKILLS = (*card_skills.SKILLS, *question_skills.SKILLS, *vocabulary_skills.SKILLS)
RULES = card_rules.RULES | question_rules.rules()
MUST_DIFFER = (question_skills.MUST_DIFFER,)


@dataclass(frozen=True)
class House:
    """What every command works with."""

    settings: Settings
    ledger: Ledger
    mind: RoleMind
    likeness: Likeness
    lexicon: "Callable[[], SongLexicon]"

    @property
    def card_policy(self) -> CardPolicy:
        """How strict the card pipeline is."""
        return card_policy(self.settings)

    def card_sync(self, vault: Path, sink: "Sink") -> "CardSync":
        """A vault and a sink, ready to be kept in step."""
        from studium.running.cards.pairing import CardSync

        cards = self.settings.cards
        return CardSync(
            root=vault,
            to=sink.to,
            sink=sink.name,
            ledger=self.ledger,
            store=sink.store,
            mind=self.mind,
            policy=self.card_policy,
            vault_name=cards.vault_name or vault.resolve().name,
            similarity=self.likeness,
            limits=Limits(calls=self.settings.agents.max_llm_calls_per_card),
        )

    @property
    def question_policy(self) -> QuestionPolicy:
        """When the question loop ends, and who takes part in it."""
        return QuestionPolicy(
            max_consecutive_failures=self.settings.questions.max_consecutive_failures,
            generator_model=self.settings.role(question_skills.GENERATE.role),
            validator_model=self.settings.role(question_skills.VALIDATE.role),
        )

    def question_work(self, asking: "Asking") -> "QuestionWork":
        """Documents, ready to be asked about."""
        from studium.running.questions.job import QuestionWork

        return QuestionWork(asking, self.mind, self.question_policy, self.likeness)

    def songs(self) -> "Songs":
        """Songs, ready to be asked for their words."""
        from studium.running.vocabulary.songs import Songs

        vocabulary = self.settings.vocabulary
        roles = [self.settings.role(skill.role) for skill in vocabulary_skills.SKILLS]
        return Songs(
            ledger=self.ledger,
            runner=self.runner(),
            mind=self.mind,
            lexicon=self.lexicon(),
            find_lyrics=lyrics_finder(self.settings),
            stamp=f"{__version__} {vocabulary.language} {roles}",
            keep_lyrics=vocabulary.keep_lyrics,
        )

    def question_checkpoints(self) -> AbstractAsyncContextManager[Any]:
        """Where the loop's state is kept between its steps."""
        from studium.running.checkpoints import open_checkpoints
        from studium.workflows.questions.state import CHECKPOINTED, MILESTONES

        return open_checkpoints(self.settings.checkpoints_url, CHECKPOINTED, MILESTONES)

    def runner(self, **presentation: Any) -> "Runner":
        """A runner that keeps to the settings' limits."""
        from studium.running.runner import Runner

        # Items that wait for nobody gain nothing from being worked on side by side, and lose time taking turns.
        concurrency = self.settings.running.concurrency if self.mind.waits else 1
        return Runner(self.ledger, concurrency, self.settings.budget, **presentation)

    def cluster(self, scheduler: str, asking: "Asking", **presentation: Any) -> "ClusterRunner":
        """A runner that hands the documents of a corpus to the workers of a cluster."""
        from studium.running.cluster.errand import Errand
        from studium.running.cluster.runner import ClusterRunner

        # Each document travels by itself.
        errand = Errand("studium.bootstrap:questions_errand", self.settings, replace(asking, documents=()))
        return ClusterRunner(scheduler, errand, self.ledger, **presentation)


@asynccontextmanager
async def questions_errand(settings: Settings, asking: "Asking") -> "AsyncIterator[tuple[Runner, Job]]":
    """On a worker: the runner and the job for the documents that the driver sends."""
    async with open_house(settings) as house, house.question_checkpoints() as checkpoints:
        yield house.runner(), house.question_work(asking).job(checkpoints)


def card_policy(settings: Settings) -> CardPolicy:
    """How strict the card pipeline is."""
    agents = settings.agents
    return CardPolicy(
        max_mapping_retries=agents.max_mapping_retries,
        min_qa_score=agents.min_qa_score,
        allow_auto_fix=agents.allow_auto_fix,
        allow_content_updates=agents.allow_content_updates,
        bilingual=agents.bilingual.mode,
        enforce_short_front=agents.style.enforce_short_front,
        max_front_chars=agents.style.max_front_chars,
        max_back_chars=agents.style.max_back_chars,
        polish=agents.style.polish,
        card_per_section=agents.card_per_section,
        deck_prefix=settings.cards.deck_prefix,
        deck_from_folder=settings.cards.deck_from_folder,
        default_deck=settings.cards.default_deck,
    )


def card_openers(settings: Settings) -> "Openers":
    """How Anki and its collection files are opened."""
    from studium.running.cards.sinks import Openers
    from studium.stores.anki.ankiconnect.connect import AnkiConnect
    from studium.stores.anki.collection import AnkiCollection

    cards = settings.cards
    key = cards.anki_key.get_secret_value() if cards.anki_key else None
    if key:
        hide(key)
    return Openers(lambda: AnkiConnect(cards.anki_address, key=key), AnkiCollection)


def card_radius(settings: Settings) -> "Radius":
    """How many cards may change unasked."""
    from studium.running.cards.syncing import Radius

    return Radius(settings.cards.max_deletions, settings.cards.max_change_percent)


def cards_stamp(settings: Settings) -> str:
    """Names the rules that notes are read by: when it changes, every note is looked at again."""
    roles = [settings.role(skill.role) for skill in card_skills.SKILLS]
    rules = settings.model_dump_json(include={"agents", "cards"})
    return sha256(f"{__version__}\n{roles}\n{rules}".encode()).hexdigest()[:16]


def question_parts(settings: Settings) -> "tuple[Part, ...]":
    """Who takes part in the question loop, for an estimate of its cost."""
    from studium.running.questions import estimate

    calls = {
        question_skills.GENERATE.role: estimate.GENERATOR_CALLS,
        question_skills.DEDUPE.role: estimate.DEDUPLICATOR_CALLS,
        question_skills.VALIDATE.role: estimate.VALIDATOR_CALLS,
    }
    named = [(settings.role(role), count) for role, count in calls.items()]
    return tuple(
        estimate.Part(name, count, settings.model(name).price if name != "rules" else None) for name, count in named
    )


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncIterator[House]:
    """The house for these settings; every mistake in them is said before any work begins."""
    check_roles(settings)
    ledger = open_ledger(settings)
    house = build_house(settings, ledger)
    try:
        yield house
    finally:
        await house.mind.aclose()
        house.likeness.close()
        ledger.close()


def build_house(settings: Settings, ledger: Ledger) -> House:
    """The house over an open ledger; whoever builds it closes it."""
    likeness = Likeness(lambda: load_embedder(settings, ledger))
    lexicon = cache(partial(build_lexicon, settings))
    rules = RULES | question_rules.rules(likeness) | vocabulary_rules.rules(lexicon)
    return House(settings, ledger, build_mind(settings, ledger, RulesMind(rules)), likeness, lexicon)


def open_ledger(settings: Settings) -> Ledger:
    """The ledger alone, for commands that only look."""
    return Ledger.open(settings.ledger_url)


def check_roles(settings: Settings) -> None:
    """Refuse one model in two roles that must differ; `rules` has an engine of its own for each."""
    for one, other in MUST_DIFFER:
        name = settings.role(one)
        if name == settings.role(other) != "rules":
            raise BadSettings(
                f"`roles.{one}` and `roles.{other}` are both {name}: a model that checks itself confirms itself.",
                remedy=f"Set `roles.{other}` to another model, or to `rules`.",
            )


def build_mind(settings: Settings, ledger: Ledger, rules: RulesMind) -> RoleMind:
    """One mind that sends each role's skills to whoever the settings name for it."""
    shipped = files("studium") / "prompts"
    folders = [settings.prompts, shipped] if settings.prompts else [shipped]
    names = {skill.role: settings.role(skill.role) for skill in SKILLS}
    chosen = {name for name in names.values() if name != "rules"}
    if chosen:
        check_prompts(SKILLS, folders)
    chats = {name: ChatMind(_spec(settings, name), ledger, folders) for name in chosen}
    return RoleMind({role: chats[name] for role, name in names.items() if name in chats}, rules)


def build_lexicon(settings: Settings) -> "SongLexicon":
    """The words of the language that is learnt; its dictionary is prepared if it was not yet."""
    from studium.running.vocabulary.lexicons import german_lexicon, japanese_lexicon

    if settings.vocabulary.language == "de":
        return german_lexicon(settings.vocabulary.freedict)
    return japanese_lexicon(settings.home / "dictionary")


def prepare_dictionary(settings: Settings, tell: Callable[[int, int], None]) -> None:
    """Prepare the Japanese dictionary if it was not yet; `tell` hears how many words are done, and of how many."""
    if settings.vocabulary.language == "ja":
        from studium.stores.dictionary.preparing import prepare

        prepare(settings.home / "dictionary", tell)


def lyrics_finder(settings: Settings) -> "FindLyrics":
    """How the lyrics of a song are found, where looking up is switched on."""
    from studium.running.vocabulary.looking import finder, not_looking

    return finder(settings.vocabulary.timeout) if settings.vocabulary.online else not_looking


def song_voice(house: House) -> "Voice":
    """How the language that is learnt is annotated and spoken."""
    from studium.running.vocabulary.learning import Voice
    from studium.running.vocabulary.lexicons import japanese_voice

    vocabulary = house.settings.vocabulary
    return Voice("de") if vocabulary.language == "de" else japanese_voice(house.settings.home / "dictionary")


def known_words(settings: Settings, known: str) -> set[str]:
    """The words that a learner knows: from a list, a collection file, or the running Anki (`anki`)."""
    from studium.running.cards.sinks import COLLECTIONS
    from studium.stores.known_words import words_of_anki, words_of_file

    path = Path(known)
    if known != "anki" and path.suffix not in COLLECTIONS:
        return words_of_file(path)
    openers = card_openers(settings)
    store = openers.connect() if known == "anki" else openers.collection(path)
    try:
        return words_of_anki(store)
    finally:
        store.close()


def load_embedder(settings: Settings, ledger: Ledger) -> Embedder | None:
    """The embedder of the settings, which never embeds a text twice; None where words are to do."""
    from studium.minds.embeddings import CachedEmbedder, build_embedder

    chosen = settings.model(settings.embedder)
    address = settings.embedder_base_url or chosen.base_url
    embedder = build_embedder(settings.embedder, base_url=address, api_key=chosen.api_key)
    return CachedEmbedder(embedder, ledger) if embedder else None


def _spec(settings: Settings, name: str) -> ModelSpec:
    chosen = settings.model(name)
    if chosen.api_key:
        hide(chosen.api_key.get_secret_value())
    spec = ModelSpec(name=name, **{key: getattr(chosen, key) for key in ModelSettings.model_fields})
    check_spec(spec)
    if settings.budget.cost is not None and spec.cost(0, 0) is None:
        raise BadSettings(
            f"`budget.cost` is set, but the price of {name} is not known.",
            remedy=f'Set `models."{name}".price` to {{input: …, output: …}} per million tokens.',
        )
    return spec
