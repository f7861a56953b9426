"""Nodes of messages: what they mean, apart from how they are written, and the message that has given nodes."""

from collections.abc import Iterable, Sequence

from livery.core.messages import Argument, ArgumentType, Choice, ChoiceKind, Node, Number, Text, read

Structure = tuple[object, ...]
_IN_BRANCH = str.maketrans({"{": "｛", "}": "｝", "#": "＃"})  # noqa: RUF001 - wide signs are what these become


def source_of(nodes: Iterable[Node]) -> str:
    """Returns the message of these nodes."""
    return "".join(node.source for node in nodes)


def argument(name: str, type: ArgumentType | None = None, style: str = "") -> Argument:  # noqa: A002 - the term of ICU
    """Returns ``{name}``, ``{name, type}`` or ``{name, type, style}``."""
    parts = [part for part in (name, type, style) if part]
    return Argument(name, f"{{{', '.join(parts)}}}", type, style)


def types_remark(arguments: Iterable[Argument]) -> str | None:
    """Returns a sentence about the arguments with a type, for a file that can't have these types; ``None`` without any."""
    found = ", ".join(dict.fromkeys(node.source for node in arguments if node.type))
    return (
        f"The file can't have the type of a placeholder: the app must format {found[:200]} itself." if found else None
    )


def choice(name: str, kind: ChoiceKind, branches: Sequence[tuple[str, Sequence[Node]]], *, offset: str = "") -> Choice:
    """Returns a choice as Livery writes it."""
    written = " ".join(f"{selector} {{{source_of(nodes)}}}" for selector, nodes in branches)
    fixed = tuple((selector, tuple(nodes)) for selector, nodes in branches)
    begin = f"offset:{offset} " if offset else ""
    return Choice(name, kind, offset, fixed, f"{{{name}, {kind}, {begin}{written}}}")


def for_branch(nodes: Sequence[Node]) -> tuple[list[Node], bool]:
    """Returns nodes for a branch of a plural, and whether their text changed. There ``{``, ``}`` and ``#`` can't be text: they become wide signs."""
    found = [Text(node.source.translate(_IN_BRANCH)) if isinstance(node, Text) else node for node in nodes]
    return found, found != list(nodes)


def structure(nodes: Iterable[Node]) -> Structure:
    """Returns what nodes mean: the same for all ways to write them. Branches are sorted, and spaces between signs don't count."""
    found: list[object] = []
    for node in nodes:
        match node:
            case Text():
                if found and isinstance(found[-1], str):
                    found[-1] += node.source
                elif node.source:
                    found.append(node.source)
            case Number():
                found.append(("number",))
            case Argument():
                found.append(("argument", node.name, node.type, node.style, node.source.startswith("{{")))
            case Choice():
                branches = sorted((selector, structure(inner)) for selector, inner in node.branches)
                found.append((node.kind, node.name, node.offset, *branches))
    return tuple(found)


def has_same_meaning(message: str, nodes: Iterable[Node]) -> bool:
    """Whether apps read ``message`` as ``nodes``."""
    return structure(read(message)) == structure(nodes)


def with_single_braces(nodes: Iterable[Node]) -> list[Node]:
    """Returns nodes whose placeholders all have one brace, also in branches."""
    found: list[Node] = []
    for node in nodes:
        match node:
            case Argument():
                found.append(argument(node.name, node.type, node.style))
            case Choice() if "{{" in node.source:
                branches = [(selector, with_single_braces(inner)) for selector, inner in node.branches]
                found.append(choice(node.name, node.kind, branches, offset=node.offset))
            case _:
                found.append(node)
    return found
