"""Which cells of tables are asked for."""


async def test_a_column_under_a_sentence_is_not_asked_for(written, ask_all):
    rows = "| fold | Adds two sails. |\n| reef | Makes a sail smaller. |"
    document = written(f"# Sails\n\n| Command | Convolves a sail with a rope. |\n|---|---|\n{rows}\n")
    assert await ask_all(document) == []


async def test_where_there_is_much_prose_labels_and_bare_figures_are_not_asked_for(written, ask_all):
    prose = " ".join(f"The {n}th pilot of the harbour of Sulva guides heavy ships past rock {n}." for n in range(4, 60))
    table = "| Pier | Length |\n|---|---|\n| North pier | 39 |\n| South pier | 52 |\n"
    asked = {each.question for each in await ask_all(written(f"# Sulva\n\nTop left: open\n\n{prose}\n\n{table}"))}
    assert asked
    assert not any("length" in question or "top left" in question for question in asked)
