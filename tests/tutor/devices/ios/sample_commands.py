"""Commands of a syntax: as few as it takes to use each of its keywords and arguments at each place."""

from studium.tutor.ios.syntax import SyntaxState, parse_syntax

Command = tuple[str, ...]


def sample_commands(syntax: str) -> list[Command]:
    """Commands, the shortest first, that together go through every branch of the syntax."""
    start = parse_syntax(syntax)
    reached = {start: ()}
    states = [start]
    for state in states:
        for part, following in state.branches:
            if following not in reached:
                reached[following] = (*reached[state], part)
                states.append(following)
    ends = {state: _shortest_end(state) for state in states}
    commands = [(*reached[state], part, *ends[following]) for state in states for part, following in state.branches]
    return list(dict.fromkeys(commands))


def _shortest_end(state: SyntaxState) -> Command:
    if state.end:
        return ()
    return min(((part, *_shortest_end(following)) for part, following in state.branches), key=len)
