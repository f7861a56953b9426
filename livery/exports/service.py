"""What an export reads, and the file that it becomes. Reading needs a session; writing is pure work of the processor, for a thread."""

import io
import zipfile
from collections.abc import Collection, Mapping, Sequence
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

from livery.colors import queries as colors
from livery.content.parts import COLORS, Meta, text_part
from livery.core.errors import Conflict, Invalid, NotFound
from livery.exports.schemas import Source
from livery.formats import registry
from livery.formats.item_files import ID, Items
from livery.formats.model import ProjectTexts, Remark, WrittenFile
from livery.formats.names import name_of
from livery.projects.models import Project
from livery.projects.queries import languages_of, screens_of
from livery.publishing import queries as releases
from livery.screens import contents
from livery.screens.contents import texts_of
from livery.stores import queries as stores
from livery.stores.contents import by_name
from livery.stores.schemas import fields_of

_REMARKS = "REMARKS.txt"
_WITHOUT_TIME = (1980, 1, 1, 0, 0, 0)
"""The moment of files in an archive: equal content makes equal bytes."""


async def read_texts(
    db: AsyncSession, project: Project, *, source: Source, languages: Collection[str] | None
) -> ProjectTexts:
    """Returns the texts of the draft or the release, in these languages or in all.

    Raises ``Invalid`` about ``language`` for a language that is not there, and ``Conflict`` before release 1.
    """
    if source == "draft":
        codes, screens = await languages_of(db, project.id), await screens_of(db, project.id)
        chosen = _chosen(codes, languages)
        by_language = await _texts_of_draft(db, project.id, screens, chosen)
    else:
        meta = await _meta_of(db, project)
        screens, chosen = meta.screens, _chosen(meta.languages, languages)
        by_language = await _texts_of_release(db, project, screens, chosen)
    return ProjectTexts(project.default_language, by_language)


async def read_colors(db: AsyncSession, project: Project, *, source: Source) -> dict[str, str]:
    """Returns the colours of the draft or the release: values by key. Raises ``Conflict`` before release 1."""
    if source == "draft":
        return {color.key: color.value for color in await colors.list_colors(db, project.id)}
    await _meta_of(db, project)
    found = await _parts_of(db, project, [COLORS])
    part = cast("Mapping[str, Mapping[str, str]]", found.get(COLORS, {}))
    return {key: color["value"] for key, color in part.items()}


async def read_items(db: AsyncSession, project: Project, api_identifier: str) -> Items:
    """Returns the items of a store of the draft. Raises ``NotFound``."""
    store = await stores.find_by_identifier(db, project.id, api_identifier)
    if store is None:
        raise NotFound("Store not found.", code="store_not_found")
    fields = fields_of(store.fields)
    rows = await stores.items_between(db, project.id, store.id, 0, store.next_position)
    present = [row for row in rows if row.removed_at is None]
    return Items(
        store=store.api_identifier,
        fields=[field.name for field in fields],
        translatable=frozenset(field.name for field in fields if field.is_translatable),
        languages=await languages_of(db, project.id),
        items=[{ID: row.id, **by_name(row.data, fields)} for row in present],
    )


def write_texts(texts: ProjectTexts, *, format_id: str) -> WrittenFile:
    """Writes texts as one file, or as an archive if there are several files or remarks. Raises ``Invalid`` about ``format``."""
    found = registry.format_of(format_id)
    if found is None:
        raise Invalid.field("format", "There is no such format.", code="unknown_format")
    written = found.write(texts)
    return archived(written.files, written.remarks, name=f"texts-{format_id}")


def archived(files: Sequence[WrittenFile], remarks: Sequence[Remark] = (), *, name: str) -> WrittenFile:
    """Returns the only file, or an archive ``name.zip`` of the files, with the remarks as a file of its own."""
    if len(files) == 1 and not remarks:
        return WrittenFile(files[0].path.rpartition("/")[2], files[0].data)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.path, _WITHOUT_TIME), file.data, zipfile.ZIP_DEFLATED)
        if remarks:
            lines = "".join(f"{one.place}: {one.name}: {one.sentence}\n" for one in remarks)
            archive.writestr(zipfile.ZipInfo(_REMARKS, _WITHOUT_TIME), lines, zipfile.ZIP_DEFLATED)
    return WrittenFile(f"{name}.zip", packed.getvalue())


def _chosen(codes: Sequence[str], wanted: Collection[str] | None) -> list[str]:
    if wanted is None:
        return list(codes)
    if unknown := [code for code in wanted if code not in codes]:
        raise Invalid.field("language", f'There is no language "{unknown[0]}" here.', code="unknown_language")
    return [code for code in codes if code in wanted]


async def _texts_of_draft(
    db: AsyncSession, project_id: str, screens: Sequence[str], languages: Sequence[str]
) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {code: {} for code in languages}
    for screen in screens:
        draft = await contents.read_draft(db, project_id, screen)
        keys = sorted(draft.content.items(), key=lambda item: (item[1].created_at is None, item[1].created_at, item[0]))
        for key, content in keys:
            for code, text in texts_of(content).items():
                if code in found:
                    found[code][name_of(screen, key, screens)] = text
    return found


async def _texts_of_release(
    db: AsyncSession, project: Project, screens: Sequence[str], languages: Sequence[str]
) -> dict[str, dict[str, str]]:
    names = [text_part(screen, code) for screen in screens for code in languages]
    parts = await _parts_of(db, project, names)
    found: dict[str, dict[str, str]] = {code: {} for code in languages}
    for screen in screens:
        for code in languages:
            texts = cast("Mapping[str, str]", parts.get(text_part(screen, code), {}))
            found[code].update({name_of(screen, key, screens): text for key, text in sorted(texts.items())})
    return found


async def _meta_of(db: AsyncSession, project: Project) -> Meta:
    if not project.release_number:
        raise Conflict("Nothing is published yet. Export the draft.", code="not_published")
    return await releases.meta_at(db, project.id, project.release_number)


async def _parts_of(db: AsyncSession, project: Project, names: Collection[str]) -> dict[str, object]:
    hashes = await releases.hashes_at(db, project.id, project.release_number, names)
    bodies = await releases.read_parts(db, project.id, {part_hash for part_hash, _ in hashes.values()})
    return {name: bodies[part_hash].value for name, (part_hash, _) in hashes.items()}
