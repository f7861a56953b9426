"""What formats with arguments of printf have in common when they are written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from livery.core.messages import arguments_of, read
from livery.formats import named_formats
from livery.formats.forms import COUNTED, shape_of
from livery.formats.model import ProjectTexts, Remark
from livery.formats.nodes import types_remark
from livery.formats.printf import Dialect, Numbering, Shape, has_any_format, number_arguments, write_form


@dataclass(frozen=True)
class OutText:
    """A text to write: its only form is ``other``, or it has the forms of a plural.

    ``has_formats`` holds if apps fill in arguments, ``has_names`` if these have names in the file.
    """

    name: str
    language: str
    forms: Mapping[str, str]
    is_plural: bool
    has_formats: bool
    has_names: bool = False


def languages_of(project: ProjectTexts) -> list[str]:
    """Returns the languages of the texts, the default language first."""
    return sorted(project.texts, key=lambda language: language != project.default_language)


def names_of(project: ProjectTexts) -> list[str]:
    """Returns the names of all texts, in the order of the default language, then of the others."""
    return list(dict.fromkeys(name for language in languages_of(project) for name in project.texts[language]))


def texts_of(
    project: ProjectTexts, dialect: Dialect, remarks: list[Remark], *, has_plurals: bool = True
) -> Iterator[OutText]:
    """Yields the texts of all languages, name by name, and adds remarks about what a file can't hold."""
    for name in names_of(project):
        yield from _write_name(project, name, dialect, remarks, has_plurals=has_plurals)


def _write_name(
    project: ProjectTexts, name: str, dialect: Dialect, remarks: list[Remark], *, has_plurals: bool
) -> Iterator[OutText]:
    given = {language: message for language in languages_of(project) if (message := project.texts[language].get(name))}
    shapes = {language: shape_of(message) for language, message in given.items()}
    held = {
        language: shape
        for language, shape in shapes.items()
        if shape is not None and (has_plurals or shape.counted is None)
    }
    numbering = number_arguments(list(held.values()), dialect)
    has_names = dialect.has_names and not numbering.formats and named_formats.are_named(list(held.values()), COUNTED)
    first = next(iter(given))
    if not has_names:
        remarks += [Remark(first, name, sentence, is_lost=False) for sentence in _numbers_remarks(numbering, held)]
    arguments = (node for message in given.values() for node in arguments_of(read(message)))
    if sentence := types_remark(node for node in arguments if not (has_names and named_formats.is_integer(node))):
        remarks.append(Remark(first, name, sentence, is_lost=False))
    for language, message in given.items():
        shape = held.get(language)
        if shape is None:
            sentence = "The format can't hold the choices of this text. They are written as they are."
            remarks.append(Remark(language, name, sentence, is_lost=False))
            yield OutText(name, language, {"other": message}, is_plural=False, has_formats=False)
            continue
        if has_names:
            forms = {form: named_formats.write(nodes, shape.counted) for form, nodes in shape.forms.items()}
            has_formats = any(map(named_formats.has_names, forms.values()))
        else:
            forms = {form: write_form(nodes, numbering, dialect) for form, nodes in shape.forms.items()}
            has_formats = has_any_format(list(forms.values()), dialect)
        yield OutText(name, language, forms, shape.counted is not None, has_formats, has_names)


def _numbers_remarks(numbering: Numbering, shapes: Mapping[str, Shape]) -> Iterator[str]:
    """Yields what is lost where arguments have no names: sentences about the names of arguments and of the plural's number."""
    if sentence := numbering.describe():
        yield sentence
    if counted := next((shape.counted for shape in shapes.values() if shape.counted not in (None, COUNTED)), None):
        yield f"The plural counts {{{counted}}}. The file doesn't keep that name."
