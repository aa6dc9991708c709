"""Notes of a vault: frontmatter, every card syntax, callouts, links and formulas."""
# ruff: noqa: E501 - tables read better in long lines

from hypothesis import strategies as st
from tests.fuzz.pieces import FILLERS, TIMES, Case, files, nested, pumped, repeated, texts

YAML_LINES = (
    "a: {}", "tags: [{}]", "tags: {}", "- {}", "? {}", "{}: {}", "a: |\n  {}", "a: >-\n {}", "a: &x {}", "b: *x", "<<: *x", "a: !!int {}",
    "a: !!timestamp {}", "a: !!binary {}", "a: !!python/object {}", "a: '{}'", 'a: "{}"', "a: {x: {}}", "a: [{}, [{}, {}]]", "# {}",
    "--- {}", "...", "%YAML 9.9", "a: 12:34:56", "a: 0o7", "a: 1_000", "a: ~", "date: {}", 'a: "\\x{}"', "  {}", "\t{}", "aliases: [{}]",
    "anki_cards:\n- slug: a-0-en\n  question: {}", "anki_slugs: [{}]", "noteId: {}", "deck: {}", "cards-deck: {}", "related: [[{}]]",
)  # fmt: skip
YAML_MARKS = (
    "[",
    "{",
    "- ",
    "? ",
    "a: ",
    "&a ",
    "*a ",
    "!!int ",
    "'",
    '"',
    "9",
    "0x",
    ":",
    "|\n",
    " ",
    "- - ",
    "{a: ",
    "#",
    "\t",
    ",",
)
"""What YAML is made of; other formats that hold YAML use them too."""

_LINES = (
    "# {}", "###### {} ^st-1", "What is {}?::{}", "{}:::{}", "a?::b {} <!--SR:!2024-01-01,{},250-->", "{}\n?\n{}", "{}\n??\n{}",
    "What is {}? #card\n{}", "{} #flashcard-reversed", "Q: {}\nA: {}", "**Вопрос:** {}\n**Ответ:** {}", "- Q: {}\n  A: {}", "> Q: {}\n> A: {}",
    "> [!question] {}\n> {}", "> [!faq]- {}\n>> [!answer] {}\n>> {}", "> [!note|{}]+ {}", "START\nBasic\n{}\nBack: {}\nTags: {}\nEND",
    "STARTI [Basic] {} Back: {} ENDI", "START\nCloze\n{}\nEND\n<!--ID: {}-->", "---\nDeck: {}\n1. {}\n> {}\n---", "TARGET DECK: {}", "FILE TAGS\n{}",
    "The =={}== is {}. #cloze", "{{c1::{}}} and {{c2::{}::{}}}", "{1:{}} {2|{}}", "```{}\n{}\n```", "~~~\n{}", "$$ {} $$", "${}$", "`{}`", "%%{}%%",
    "<!-- {} -->", "<!--studium:{}-->", "<!--ID: {}-->", "^{}", "[[{}|{}#{}]]", "![[{}.png|{}]]", "[{}]({})", '![{}]({} "{}")', "| {} | {} |\n|---|:-:|\n| {} | {} |",
    "- [ ] {}", "1. {}", "    {}", "{}\n===", "{}\n---", "***", "#tag/{}", "#{}", "[^{}]: {}", "<div {}>{}</div>", "&#{};", "data:x;base64,{}", "| {} |",
)  # fmt: skip
_MARKS = (
    "[", "[[", "![", "](", "(", "{", "{{c1::", "==", "*", "**", "_", "`", "```\n", "$", "$$", "%%", "<!--", "-->", "<b>", "> ", ">", "> [!question] ", "|", "#", "# ",
    "- ", "1. ", " ", "\t", "\n", "::", ":::", "?", "~", "^", "\\", "&", "Q: ", "A: ", "START\n", "---\n", "a", "9", "^a-", '<a href="', "\\(",
)  # fmt: skip


@st.composite
def _notes(draw: st.DrawFn) -> str:
    body = draw(texts(_LINES, _MARKS))
    if draw(st.booleans()):
        return body
    header = draw(st.one_of(texts(YAML_LINES, YAML_MARKS, most=4), _long_value(), nested(YAML_MARKS)))
    end = draw(st.sampled_from(["\n---\n", "\n...\n", "\n", "---"]))
    return f"---\n{header}{end}{body}"


def _long_value() -> st.SearchStrategy[str]:
    marks = st.one_of(pumped(YAML_MARKS), nested(YAML_MARKS))
    return st.builds(
        lambda key, value, many: repeated(f"{key}: {value}\n", many),
        st.sampled_from(["a", "tags", "deck"]),
        marks,
        TIMES,
    )


def notes() -> st.SearchStrategy[Case]:
    """Notes of any kind."""
    names = ("note.md", "Note 1.md", "a.excalidraw.md")
    return st.one_of(
        files(names[:1], _notes()), files(names[:1], texts(_LINES, _MARKS, most=14)), files(names, FILLERS)
    )
