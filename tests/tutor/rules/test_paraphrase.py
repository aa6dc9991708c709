"""What reaches a student is plain: no preambles, codes, names of tools or prompts; her commands stay as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studium.tutor.rules.paraphrase import paraphrase


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Certainly! The mask is wrong.", "The mask is wrong."),
        ("Sure, the mask is wrong [1].", "The mask is wrong [1]."),
        ("Great question! As an AI language model, I can help with that. OSPF has areas.", "OSPF has areas."),
        ("I'd be happy to help you with that! Use `no shutdown`.", "Use `no shutdown`."),
        ("Based on the provided context, R1 has no route.", "R1 has no route."),
        ("R1 has no route. I hope this helps! Let me know if you have more questions.", "R1 has no route."),
        ("This is a WRONG_MODE error.", "This is a wrong mode error."),
        ("Look at `TYPO_IN_COMMAND` here.", "Look at typo in command here."),
        ("The word is misspelled (pattern_id: typo-hostname).", "The word is misspelled."),
        ("The word is misspelled (error type: TYPO_IN_COMMAND).", "The word is misspelled."),
        (
            "⚠️ ERROR TYPE: TYPO_IN_COMMAND\n📋 DIAGNOSIS: `adress` is misspelled.\n✅ FIX: type `ip address`.",
            "`adress` is misspelled.\ntype `ip address`.",
        ),
        (
            'According to get_device_running_config(device_name="r1"), the mask is wrong.',
            "According to the running configuration of r1, the mask is wrong.",
        ),
        ("I used the check_goal tool: r1 is fine.", "I looked at the goal check: r1 is fine."),
        ("I called `get_device_running_config`.", "I looked at the running configuration."),
        ("detailed thinking on\n\nThe mask is wrong.", "The mask is wrong."),
        ("<think>The student is new.\nBe kind.</think>\nThe mask is wrong.", "The mask is wrong."),
        ("You are a helpful networking tutor for CCNA students. The mask is wrong.", "The mask is wrong."),
        ("System: You are a patient tutor.\nThe mask is wrong.", "The mask is wrong."),
        ("<|im_start|>The mask is wrong.<|im_end|>", "The mask is wrong."),
    ],
)
def test_what_is_not_for_the_student_goes(said, told):
    assert paraphrase(said) == told


@pytest.mark.parametrize(
    "text",
    [
        "The mask is wrong [1].\n\n```\nip address  10.0.0.1   255.255.255.0\n```\n\nWhich one is it?",
        "Type this:\n\n    route-map WRONG_MODE permit 10\n    description Certainly!",
        "R1(config)#banner motd # Sure! get_device_running_config #",
        "Your list MY_LIST and the name SERVER_FARM stay.",
        "Of the two routes, 10.0.0.0/8 → 10.0.0.0/24, the longer wins.",
        "Sure enough, the route is there.",
        "1. `enable`\n2. `configure terminal`",
    ],
)
def test_what_is_for_the_student_stays(text):
    assert paraphrase(text) == text


def test_nothing_but_a_preamble_is_better_than_nothing():
    assert paraphrase("Certainly!") == "Certainly!"
    assert paraphrase("") == ""


lines = st.lists(
    st.text(
        st.characters(codec="utf-8", exclude_characters="`~\ue000", exclude_categories=("Cc", "Zl", "Zp")), max_size=40
    )
    | st.sampled_from(
        ["Certainly! TYPO_IN_COMMAND", "ip address 10.0.0.1  255.255.255.0", "⚠️ ERROR TYPE: X_Y", "check_goal(r1)"]
    ),
    min_size=1,
    max_size=5,
)


@given(code=lines, before=st.sampled_from(["Sure! Type this:", "⚠️ FIX:", "WRONG_MODE.", "Hello."]))
def test_blocks_of_code_are_kept_to_the_letter(code, before):
    block = "```\n" + "\n".join(code) + "\n```"
    assert block in paraphrase(f"{before}\n\n{block}\n\nLet me know if it works!")


@given(
    st.lists(
        st.sampled_from(
            [
                "Certainly! ",
                "WRONG_MODE ",
                "⚠️ ",
                "`no shut` ",
                "check_goal ",
                "You are a tutor. ",
                "The mask is wrong.\n",
                "( ) ",
            ]
        )
        | st.text(max_size=12)
    ).map("".join)
)
def test_plain_words_stay_plain(text):
    once = paraphrase(text)
    assert paraphrase(once) == once
