/** The keys as a module of Python, for the clients of livery-client. */

import type { StoreField } from "../content.js";
import type { KeyModel, KeyName, Naming, ScreenName } from "../key-model.js";
import type { Use } from "../messages.js";
import { HEAD, type Language } from "./language.js";

const RESERVED =
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self color _reader";

const FIELD_TYPES: Readonly<Record<StoreField["type"], string>> = {
  String: "str",
  RichText: "str",
  Date: "str",
  Media: "str",
  Number: "float",
  Boolean: "bool",
};

const TYPES: Readonly<Record<Use, string>> = {
  any: "object",
  moment: "dt.date | float | str",
  count: "float",
  number: "float",
};

const quoted = (text: string) => JSON.stringify(text);
const doc = (text: string) => `"""${text.replace(/\\/g, "\\\\").replace(/"/g, "'")}"""`;

function method({ key, id, text, parameters }: KeyName): string {
  const given = parameters.map((one) => `${one.id}: ${TYPES[one.use]}`);
  const values = parameters.map((one) => `${quoted(one.name)}: ${one.id}`);
  const call = values.length ? `${quoted(key)}, {${values.join(", ")}}` : quoted(key);
  return `
    def ${id}(self${given.length ? `, *, ${given.join(", ")}` : ""}) -> str:
        ${doc(text)}
        return self._reader.t(${call})
`;
}

const screen = ({ name, type, keys }: ScreenName) => `

class ${type}:
    """The texts of the screen ${name}."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
${keys.map(method).join("")}`;

const literal = (names: readonly { readonly name: string }[]) =>
  names.length ? `Literal[${names.map((one) => quoted(one.name)).join(", ")}]` : "Literal[None]";

const fields = (all: readonly StoreField[]) =>
  [`"_id": Required[str]`, ...all.map((one) => `${quoted(one.name)}: ${FIELD_TYPES[one.type]}`)].join(", ");

function write({ screens, colors, images, stores }: KeyModel): string {
  const items = stores.map(
    ({ type, fields: all }) => `${type} = TypedDict(${quoted(type)}, {${fields(all)}}, total=False)\n`,
  );
  const hasMoments = screens.some(({ keys }) =>
    keys.some(({ parameters }) => parameters.some((one) => one.use === "moment")),
  );
  const typing = ["Literal", "Protocol", ...(items.length ? ["Required", "TypedDict"] : [])];
  return `"""${HEAD}"""

from __future__ import annotations

${hasMoments ? "import datetime as dt\n" : ""}from collections.abc import Mapping
from typing import ${typing.join(", ")}

ColorKey = ${literal(colors)}
ImageKey = ${literal(images)}
${items.join("")}

class Reader(Protocol):
    """What reads content: \`\`Livery\`\`, \`\`AsyncLivery\`\`, or what \`\`in_language\`\` returns."""

    def t(self, key: str, params: Mapping[str, object] | None = None) -> str: ...
    def color(self, key: str) -> str | None: ...
${screens.map(screen).join("")}

class Keys:
    """The content of the project: \`\`Keys(livery).home.title()\`\`."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
${screens.map(({ id, type }) => `        self.${id} = ${type}(reader)\n`).join("")}
    def color(self, key: ColorKey) -> str | None:
        """Returns a colour as #rrggbb; None if the content lacks it."""
        return self._reader.color(key)
`;
}

const naming: Naming = { isCamel: false, reserved: new Set(RESERVED.split(" ")) };

export const python: Language = { naming, write };
