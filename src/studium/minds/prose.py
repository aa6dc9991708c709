"""Answers in plain words."""

from studium.domain.assignment import emit_text
from studium.domain.skill import Told
from studium.minds.conversation import Conversation, Reading
from studium.minds.messages import Reply
from studium.minds.structured import without_thoughts


async def answer_in_prose(conversation: Conversation) -> Told:
    """Ask for words; what was recalled is told at once, what is paid for was told while it came."""
    reading = await conversation.ask(_read)
    if reading.problem:
        raise conversation.fail("mind.invalid_output", f"said nothing: {reading.problem}")
    if conversation.is_cached:
        emit_text(reading.value)
    return Told(text=reading.value)


def _read(reply: Reply) -> Reading[str]:
    text = without_thoughts(reply.text).strip()
    return Reading(text, None if text else "the answer is empty.")
