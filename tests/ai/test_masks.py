"""What a service sees of a text, and what becomes of its answer: everything but words comes back exactly."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livery.ai.masks import Masking, Plan, plural_forms
from livery.core.messages import Malformed


def seen(text: str, target: str | None = "de", *, can_inflect: bool = True) -> list[str]:
    """The words that a service gets, each mark as ``*``, the text's own mark left out."""
    units = Masking(target, can_inflect=can_inflect).plan(text).units
    return [re.sub("⟦[0-9]+⟧", "*", unit.text.removeprefix(f"⟦{unit.own}⟧")) for unit in units]


def answered(plan: Plan, *, upper: bool = True) -> str:
    """The text when the service puts each word in capitals."""
    texts = {unit.id: unit.text.removeprefix(f"⟦{unit.own}⟧") for unit in plan.units}
    return plan.piece.assemble({name: text.upper() if upper else text for name, text in texts.items()})


@pytest.mark.parametrize(
    ("text", "words", "capitals"),
    [
        ("Hello", ["Hello"], "HELLO"),
        ("  Hello\n", ["Hello"], "  HELLO\n"),
        ("Hi {name}!", ["Hi *!"], "HI {name}!"),
        ("Привет, {имя}!", ["Привет, *!"], "ПРИВЕТ, {имя}!"),
        ("{n, plural, offset : 1 one {# bed} other {# beds}}", ["* bed", "* beds"], "{n, plural, offset:1 one {# BED} other {# BEDS}}"),
        ("Hi {{ user.name }}, ${name} and $5", ["Hi *, * and $5"], "HI {{ user.name }}, ${name} AND $5"),
        ("%s of %1$s, %@ and %d, 100 %% sure", ["* of *, * and *, 100 * sure"], "%s OF %1$s, %@ AND %d, 100 %% SURE"),
        ('<a href="/x">Read</a> <b>on</b><br/>', ["*Read* *on**"], '<a href="/x">READ</a> <b>ON</b><br/>'),
        ("See https://ex.com/a?b=c&d. Ok", ["See *. Ok"], "SEE https://ex.com/a?b=c&d. OK"),
        ("Mail a.b@ex.com, please", ["Mail *, please"], "MAIL a.b@ex.com, PLEASE"),
        ("Tom &amp; Tim &nbsp;", ["Tom * Tim *"], "TOM &amp; TIM &nbsp;"),
        ("⟦3⟧ is text", ["*3* is text"], "⟦3⟧ IS TEXT"),
        ("a { b {} { two words } }", ["a * b * * *"], "A { B {} { two words } }"),
        ("<!-- note --> Hello", ["* Hello"], "<!-- note --> HELLO"),
        ("{d, date, short} at {t, time}", ["* at *"], "{d, date, short} AT {t, time}"),
        ("a {g, select, f {her {x}} other {their}} b", ["her *", "their", "a * b"], "A {g, select, f {HER {x}} other {THEIR}} B"),
    ],
)  # fmt: skip
def test_words_are_translated_and_the_rest_stays(text: str, words: list[str], capitals: str) -> None:
    assert seen(text) == words
    assert answered(Masking("de").plan(text)) == capitals


@pytest.mark.parametrize(
    "text", ["", " ", "{name}", "123", "https://ex.com/hello", "%s: %d", "<br/>", "→ {a} ←", "&nbsp;"]
)
def test_a_text_without_words_is_kept_without_asking(text: str) -> None:
    plan = Masking("de").plan(text)

    assert plan.units == []
    assert plan.piece.assemble({}) == text


def test_a_plural_gets_the_forms_of_the_target_language() -> None:
    text = "You have {n, plural, =0 {nothing} one {# item} other {# items}}, {name}."

    plan = Masking("ru").plan(text)

    assert answered(plan) == (
        "YOU HAVE {n, plural, =0 {NOTHING} one {# ITEM} few {# ITEMS} many {# ITEMS} other {# ITEMS}}, {name}."
    )
    notes = [unit.note for unit in plan.units]
    assert [note.partition(";")[0] for note in notes] == [
        'shown when n is 0 (plural form "=0")',
        'shown when n is 1, 21, 31, 41 (plural form "one")',
        'shown when n is 2, 3, 4, 22 (plural form "few")',
        'shown when n is 0, 5, 6, 7 (plural form "many")',
        'shown when n is 0.5, 1.5, 2.5, 10.5 (plural form "other")',
        "",
    ]
    assert answered(Masking("ja").plan(text)) == ("YOU HAVE {n, plural, =0 {NOTHING} other {# ITEMS}}, {name}.")


def test_rephrasing_keeps_the_forms_there_are() -> None:
    text = "{n, plural, offset:1 one {# item} other {# items}}"

    assert answered(Masking(None).plan(text)) == "{n, plural, offset:1 one {# ITEM} other {# ITEMS}}"


def test_a_choice_in_a_choice_keeps_its_structure() -> None:
    text = "{g, select, f {{n, plural, one {her # cat} other {her # cats}}} other {{n, plural, one {# cat} other {# cats}}}}"

    assert seen(text, "en") == ["her * cat", "her * cats", "* cat", "* cats"]
    assert answered(Masking("en").plan(text)) == (
        "{g, select, f {{n, plural, one {HER # CAT} other {HER # CATS}}} other {{n, plural, one {# CAT} other {# CATS}}}}"
    )


def test_ordinals_have_their_own_forms() -> None:
    text = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}"

    assert answered(Masking("de").plan(text)) == "{n, selectordinal, other {#TH}}"


def test_a_service_that_reads_no_notes_is_not_asked_for_forms_that_are_not_there() -> None:
    text = "{n, plural, one {# item} other {# items}}"

    assert seen(text, "de", can_inflect=False) == ["* item", "* items"]
    with pytest.raises(Malformed, match="few, many"):
        seen(text, "ru", can_inflect=False)


@pytest.mark.parametrize(
    "text",
    [
        "{n, plural, one {x}} {name}", "{n, plural, one {x} other {y} {name}", "{n, plural, one {x", "{n, plural, }",
        "{n, plural, one x other y}", "{n, plural, one {a} one {b} other {c}}", "{n, plural, one {a { b} other {c}}",
        "{n, plural, other {" * 20 + "x" + "}}" * 20, "{n, select, other {a} junk}", "{a, select, other {{n, plural, one {x}}}}",
        "{a, select, " + " ".join(f"w{place} {{word}}" for place in range(70)) + " other {x}}",
    ],
)  # fmt: skip
def test_a_text_that_apps_can_not_read_is_reported(text: str) -> None:
    with pytest.raises(Malformed):
        Masking("de").plan(text)


def test_marks_of_one_order_are_never_the_same() -> None:
    masking = Masking("de")
    units = [unit for text in ("Hi {a}", "{b} and <b>c</b>", "Yes") for unit in masking.plan(text).units]

    marks = [number for unit in units for number in re.findall("⟦([0-9]+)⟧", unit.text)]
    assert len(marks) == len(set(marks)) == 7


@given(st.text(st.sampled_from(list("ab {}<>/%$#&;@.⟦⟧1s,:\n")) | st.characters(codec="utf-8"), max_size=60))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    try:
        plan = Masking(None).plan(text)
    except Malformed:
        return
    assert answered(plan, upper=False) == text


def test_plural_forms_come_from_cldr() -> None:
    assert list(plural_forms("ar", "plural")) == ["zero", "one", "two", "few", "many", "other"]
    assert plural_forms("de", "plural") == {"one": ["1"], "other": ["0", "2", "3", "4"]}
    assert list(plural_forms("pt-BR", "plural")) == ["one", "many", "other"]
    assert list(plural_forms("en", "selectordinal")) == ["one", "two", "few", "other"]
