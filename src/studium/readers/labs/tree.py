"""YAML in which every value knows its line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

Key = str | int


@dataclass(frozen=True)
class Mistake:
    """Something wrong in a lab, and the line it stands on."""

    code: str
    line: int
    message: str


@dataclass(frozen=True)
class Tree:
    """A value of a YAML file with its line; what is not there is an empty tree on the line of what should have it."""

    value: Any = None
    line: int = 1
    children: "dict[Key, Tree]" = field(default_factory=dict)
    text_line: int = 1

    def at(self, *keys: Key) -> "Tree":
        """What stands under these keys."""
        tree = self
        for key in keys:
            tree = tree.children.get(key, Tree(line=tree.line))
        return tree

    def items(self) -> "Iterator[tuple[str, Tree]]":
        """The named values below."""
        return ((str(key), child) for key, child in self.children.items())

    def each(self) -> "Iterator[Tree]":
        """The values below, in order."""
        return iter(self.children.values())

    @property
    def text(self) -> str:
        """The value if it is text, else nothing."""
        return self.value.strip() if isinstance(self.value, str) else ""


def read_tree(text: str) -> tuple[Tree | None, list[Mistake]]:
    """The values of a YAML text, and what is wrong with it as YAML; no tree if nothing can be made of it."""
    import yaml

    loader = yaml.CSafeLoader(text)
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.CSafeLoader)):
            return None, [Mistake("alias", 1, "Aliases (`*name`) are not used in labs. Write the value out.")]
        root = loader.get_single_node()
        mistakes: list[Mistake] = []
        return (_grown(root, loader, mistakes) if root else Tree()), mistakes
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        return None, [Mistake("yaml", mark.line + 1 if mark else 1, f"Not readable as YAML: {problem}.")]
    except (RecursionError, ValueError) as error:
        return None, [Mistake("yaml", 1, f"Not readable as YAML: {error}.")]
    finally:
        loader.dispose()


def _grown(node: "yaml.Node", loader: "yaml.CSafeLoader", mistakes: list[Mistake]) -> Tree:
    import yaml

    line = node.start_mark.line + 1
    children: dict[Key, Tree] = {}
    if isinstance(node, yaml.MappingNode):
        for key, below in node.value:
            name, key_line = str(key.value), key.start_mark.line + 1
            if name in children:
                first = children[name].line
                mistakes.append(Mistake("twice", key_line, f"`{name}` stands here twice, first on line {first}."))
                continue
            grown = _grown(below, loader, mistakes)
            children[name] = Tree(grown.value, key_line, grown.children, grown.text_line)
        return Tree({name: child.value for name, child in children.items()}, line, children)
    if isinstance(node, yaml.SequenceNode):
        children = {place: _grown(below, loader, mistakes) for place, below in enumerate(node.value)}
        return Tree([child.value for child in children.values()], line, children)
    # The text of a block begins on the line after its `|`.
    begins = line + 1 if isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"} else line
    return Tree(loader.construct_object(node), line, {}, begins)
