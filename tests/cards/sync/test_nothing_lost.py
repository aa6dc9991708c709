"""Whatever is edited on both sides: no word that a person typed in Anki ever disappears without a review."""

import random

from tests.run_cli import studium

WORDS = ["router", "link", "state", "area", "cost", "flood", "hello", "packet", "table", "metric", "hop", "timer"]


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(6, 14))).capitalize() + "."


def shuffled(chance: random.Random, text: str, typed: str | None = None) -> str:
    """Edit a text as a person might: insert, drop or replace a word, or add a sentence."""
    words = text.split(" ")
    place = chance.randrange(len(words))
    edit = chance.choice(("insert", "drop", "replace", "append"))
    new = typed or chance.choice(WORDS)
    if edit == "insert" or (typed and edit == "drop"):
        words.insert(place, new)
    elif edit == "drop" and len(words) > 3:
        del words[place]
    elif edit == "replace":
        words[place] = new
    else:
        words += [new, *sentence(chance).split(" ")]
    return " ".join(words)


def test_no_typed_word_disappears_without_a_review(workspace):
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    answers = {number: sentence(chance) + " " + sentence(chance) for number in range(6)}
    typed: dict[int, list[str]] = {number: [] for number in answers}

    def write() -> None:
        for number, answer in answers.items():
            workspace.write(f"{number}.md", f"Q: What is said about subject {number}?\nA: {answer}\n")

    write()
    workspace.sync()
    for turn in range(8):
        for number, answer in list(answers.items()):
            if chance.random() < 0.6:
                answers[number] = shuffled(chance, answer)
            if chance.random() < 0.6:
                word = f"typed{turn}x{number}"
                note = workspace.note(f'"Front:*subject {number}?"')
                # What the person typed over is the person's own business from here on.
                note["Back"] = shuffled(chance, note["Back"], word)
                typed[number] = [each for each in [*typed[number], word] if each in note["Back"]]
                workspace.collection.update_note(note)
        write()
        workspace.sync("--allow-mass-change")
        for number, words in typed.items():
            back = workspace.note(f'"Front:*subject {number}?"')["Back"]
            missing = [word for word in words if word not in back]
            assert not missing, f"seed {seed}, turn {turn}: {missing} went missing from {back!r}"
    assert studium("review", "--json").code == 0
