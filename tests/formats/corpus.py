"""Texts that are hard for files, and what the tests of formats do with them."""

from collections.abc import Mapping

from livery.formats.model import Format, ProjectTexts, TextFile, Written
from livery.formats.plurals import meaning

TEXTS: Mapping[str, str] = {
    "title": "Welcome",
    "no": "no",
    "cart.title": "Your cart, {name}!",
    "cart.items": "{count, plural, one {# item} other {# items}}",
    "cart.left": "You have {count, plural, =0 {nothing} one {# item} other {# items}} left, {name}.",
    "cart.place": "{count, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}",
    "cart.days": "{days, plural, one {# day} other {# days}}",
    "cart.gender": "{gender, select, female {She} male {He} other {They}} paid {price}.",
    "cart.both": "{a, plural, one {# a} other {# a}} and {b, plural, one {# b} other {# b}}",
    "cart.exact": "{count, plural, =1 {one} =2 {two} other {#}}",
    "cart.offset": "{count, plural, offset:1 one {{who} and #} other {{who} and # more}}",
    "types.numbers": "{price, number, ::currency/EUR} of {all, number}",
    "types.decimals": "{ratio,number,::.00}",
    "types.mistake": "{day, date, ::currency/EUR}",
    "types.moments": "{day, date, long}, {at, time}",
    "types.branch": "{count, plural, one {# ({part, number, percent})} other {# ({part, number, percent})}}",
    "types.counted": "{count, plural, one {{count, number, percent}} other {{count, number, percent}}}",
    "signs.quotes": "It's \"quoted\" and ''twice'', l'{name} '{name}'",
    "signs.braces": "a { b } {} {a b} {d, spellout} }{",
    "signs.two": "{{name}} and { name }",
    "signs.percent": "100% of 5%{name} %s %1$d %% %%{name} %{a b}",
    "signs.numbers": "It's {0} and {1}",
    "signs.dollar": "${price} $t(title) $(x) \\n \\u0041 \\",
    "signs.markup": '<b>{name}</b> &amp; <a href="#">x</a> <!-- no --> ]]>',
    "signs.hash": "# {name} #1",
    "signs.yaml": "- a: b # c",
    "signs.properties": "# not = a : comment !",
    "signs.bars": "a,b;c|d\te",
    "lines.breaks": "one\ntwo\r\nthree\rfour\n",
    "lines.other": "a\u2028b\u2029c\u0085d\u00a0e\ufefff",
    "lines.spaces": "  two before and two after  ",
    "lines.space": " ",
    "lines.tab": "\tTab",
    "cells.formula": "=1+1",
    "cells.quoted": "'=1+1",
    "cells.apostrophe": "'quoted'",
    "cells.at": "@SUM(A1)",
    "cells.minus": "-1",
    "cells.plus": "+1",
    "cells.error": "#N/A",
    "cells.escape": "_x000D_ _x005F_",
    "cells.number": "007",
    "words.true": "true",
    "words.null": "null",
    "words.date": "2026-11-27",
    "words.tilde": "~",
    "scripts.arabic": "مرحبا {name}\u200f!",
    "scripts.hebrew": "עִבְרִית",
    "scripts.japanese": "こんにちは、{名前}さん",
    "scripts.emoji": "👩‍👩‍👧 🇩🇪 👍🏽",
    "scripts.combining": "e\u0301 ﬁ",
    "scripts.control": "a\u0001b\u007fc",
    "general.general": "A key with the name of its screen",
}


def project_of(texts: Mapping[str, str], *languages: str) -> ProjectTexts:
    return ProjectTexts("en", dict.fromkeys(languages or ("en",), texts))


def read_again(form: Format, written: Written, language: str = "en") -> TextFile:
    """Reads the files of an export as one file."""
    found = TextFile()
    for file in written.files:
        again = form.read(file.data, language=language)
        found.texts.extend(again.texts)
        found.remarks.extend(again.remarks)
    return found


def unexplained(form: Format, texts: Mapping[str, str]) -> dict[str, tuple[str, str | None]]:
    """Returns the texts that come back from a file with a different meaning, and have no remark."""
    written = form.write(project_of(texts))
    again = {text.name: text.message for text in read_again(form, written).texts}
    explained = {remark.name for remark in written.remarks}
    return {
        name: (message, again.get(name))
        for name, message in texts.items()
        if name not in explained and (name not in again or meaning(again[name]) != meaning(message))
    }
