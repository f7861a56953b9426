"""What a format writes, it reads again; or it has a remark."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from livery.formats.checked import DIFFERENT
from livery.formats.model import Format
from livery.formats.registry import FORMATS, detect, format_of
from tests.formats.corpus import TEXTS, project_of, read_again, unexplained

every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.id)

PIECES = st.sampled_from(
    "{ } {{ }} {p,number} {p,number,::.0} {d,date,full} {d,date,x'y} "
    "' '' # % %% %{ {name} {{name}} {0} {count} %s %{name} {count,plural, one other {#} =0{ =1 \\ \" < > & = + - @ | : ; , $t( ~ * ! "
    "_x000D_ _x005F_ &amp; <b> ]]> \\u0041 é 😀 ع null".split(" ")
)
TEXT = st.one_of(
    st.text(max_size=20),
    st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=8).map("".join),
    st.builds(
        "{}{{{}, {}, =0 {{{}}} one {{{}}} other {{{}}}}}{}".format,
        st.sampled_from(["", "a ", "'", "{x} ", "%"]),
        st.sampled_from(["count", "n", "0"]),
        st.sampled_from(["plural", "selectordinal"]),
        *(st.sampled_from(["", "#", "a", "'", "{x}", "{{x}}", "# '{x}'", "%#", "{count}"]) for _ in range(3)),
        st.sampled_from(["", " a", "'", " {count}", "#", "}"]),
    ),
).filter(bool)
NAME = st.from_regex(r"\A[a-z]{1,3}(\.[a-z_]{1,3}(_one|_other|_plural|_ordinal_other)?)?\Z")


@every_format
def test_the_texts_of_the_corpus_come_back_or_have_a_remark(form: Format) -> None:
    assert unexplained(form, TEXTS) == {}


FREE_CHOICES = {"cart.both", "cart.days", "cart.exact", "cart.gender", "cart.offset"}
TYPES = {name for name in TEXTS if name.startswith("types.")}
REMARKS = {
    "json": set[str](),
    "json_flat": set[str](),
    "i18next": {*FREE_CHOICES, "signs.dollar", "signs.two", "types.decimals", "types.mistake"},
    "icu_json": {"signs.two"},
    "arb": {"", "signs.two"},
    "yaml": {*FREE_CHOICES, *TYPES, "cart.place", "signs.two"},
    "properties": {
        *FREE_CHOICES,
        "",
        "cart.items",
        "cart.left",
        "cart.place",
        "signs.two",
        "types.branch",
        "types.counted",
    },
    "csv": set[str](),
    "xlsx": set[str](),
}
"""The texts of the corpus about which a format has a remark."""


@pytest.mark.parametrize("form_id", REMARKS)
def test_a_format_has_remarks_only_about_what_it_cannot_keep(form_id: str) -> None:
    form = format_of(form_id)
    assert form

    written = form.write(project_of(TEXTS))

    assert {remark.name for remark in written.remarks} == REMARKS[form_id]
    assert [remark for remark in written.remarks if remark.is_lost or remark.sentence == DIFFERENT] == []


@pytest.mark.parametrize("form_id", ["json", "json_flat", "csv", "xlsx"])
def test_texts_are_the_same_to_the_last_sign_where_the_file_keeps_messages(form_id: str) -> None:
    form = format_of(form_id)
    assert form

    written = form.write(project_of(TEXTS))

    assert {text.name: text.message for text in read_again(form, written).texts} == dict(TEXTS)
    assert written.remarks == []


@every_format
def test_each_language_comes_back_from_its_file(form: Format) -> None:
    texts = {"title": "Hi", "cart.title": "Cart"}

    written = form.write(project_of(texts, "en", "pt-BR"))

    has_both = form.has_many_languages or form.id in {
        "xliff1",
        "xliff2",
    }  # an XLIFF file has the source and a translation
    assert len(written.files) == (1 if has_both else 2)
    for file in written.files:
        found = form.read(file.data, language="en")
        assert {text.name for text in found.texts} == texts.keys()
        assert len(found.texts) == (4 if has_both else 2)


@every_format
def test_a_written_file_is_recognised_by_its_name_or_has_the_same_texts_in_the_format_that_fits(form: Format) -> None:
    file = form.write(project_of({"title": "Hi", "cart.title": "Cart"})).files[0]

    found = detect(file.path, file.data)

    assert found is not None
    assert [text.name for text in found.read(file.data, language="en").texts] == ["title", "cart.title"]


@every_format
def test_a_project_without_texts_makes_files_that_can_be_read(form: Format) -> None:
    written = form.write(project_of({}))

    assert [form.read(file.data, language="en").texts for file in written.files] == [[] for _ in written.files]


@every_format
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.dictionaries(NAME, TEXT, min_size=1, max_size=4))
def test_any_texts_come_back_or_have_a_remark(form: Format, texts: dict[str, str]) -> None:
    assert unexplained(form, texts) == {}
