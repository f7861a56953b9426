"""Written files are read again: a text that is not the same then has a remark, whatever the reason."""

from collections.abc import Callable, Iterator, Mapping

from livery.core.messages import read
from livery.formats.codes import normal
from livery.formats.model import Format, ProjectTexts, Remark, Written
from livery.formats.nodes import Structure, source_of, structure, with_single_braces
from livery.formats.paths import language_of

LOST = "The file can't keep this text."
TWO_BRACES = "Placeholders with two braces have one brace when the file is read again."
DIFFERENT = "The file keeps this text with a different meaning."


def plain_meaning(message: str) -> Structure:
    """Returns what a message means: the spaces in its placeholders and the order of its branches don't count."""
    return structure(read(message)) if "{" in message else (message,)


def check_written(
    written: Written,
    project: ProjectTexts,
    languages: list[str],
    reader: Format,
    meaning: Callable[[str], Structure] = plain_meaning,
) -> Written:
    """Adds a remark for each text that ``reader`` doesn't find again in ``written``, unless it has a remark.

    ``languages`` are the languages of the files, in their order.
    """
    known = {(remark.place, remark.name) for remark in written.remarks}
    for file, language in zip(written.files, languages, strict=True):
        again = {text.name: text.message for text in reader.read(file.data, language=language).texts}
        for name, sentence, is_lost in _differences(project.texts[language], again, meaning):
            if (file.path, name) not in known:
                written.remarks.append(Remark(file.path, name, sentence, is_lost))
    return written


def check_export(written: Written, project: ProjectTexts, reader: Format) -> Written:
    """``check_written`` for files that may have several languages, or share a language. The reader's path of a file shows its language."""
    again: dict[str, dict[str, str]] = {}
    for file in written.files:
        own = language_of(file.path) or project.default_language
        for text in reader.read(file.data, language=own).texts:
            again.setdefault(normal(text.language or own), {}).setdefault(text.name, text.message)
    known = {remark.name for remark in written.remarks}
    for language, texts in project.texts.items():
        for name, sentence, is_lost in _differences(texts, again.get(language, {}), plain_meaning):
            if name not in known:
                written.remarks.append(Remark(language, name, sentence, is_lost))
    return written


def _differences(
    texts: Mapping[str, str], again: Mapping[str, str], meaning: Callable[[str], Structure]
) -> Iterator[tuple[str, str, bool]]:
    for name, message in texts.items():
        found = again.get(name)
        if found is None:
            yield name, LOST, True
        elif found != message and meaning(message) != (actual := meaning(found)):
            is_close = "{{" in message and meaning(source_of(with_single_braces(read(message)))) == actual
            yield name, TWO_BRACES if is_close else DIFFERENT, False
