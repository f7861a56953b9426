/** The keys as a file of Dart. */

import type { KeyModel, KeyName, Naming, ScreenName } from "../key-model.js";
import type { Use } from "../messages.js";
import { HEAD, type Language } from "./language.js";

const RESERVED =
  "abstract as assert async await break case catch class const continue covariant default deferred do dynamic else enum export extends extension external factory false final finally for get if implements import in interface is late library mixin new null on operator part required rethrow return set show static super switch sync this throw true try typedef var void when while with yield hashCode runtimeType toString noSuchMethod";

const TYPES: Readonly<Record<Use, string>> = { any: "Object", moment: "DateTime", count: "num", number: "num" };

const quoted = (text: string) => JSON.stringify(text).replaceAll("$", "\\$");

function method({ key, id, text, parameters }: KeyName): string {
  const given = parameters.map((one) => `required ${TYPES[one.use]} ${one.id}`).join(", ");
  const values = parameters.map((one) => `${quoted(one.name)}: ${one.id}`).join(", ");
  return `
  /// ${text}
  String ${id}(${given && `{${given}}`}) => _reader.t(${quoted(key)}, {${values}});
`;
}

const screen = ({ name, type, keys }: ScreenName) => `
/// The texts of the screen ${name}.
class ${type} {
  const ${type}._(this._reader);

  final LiveryReader _reader;
${keys.map(method).join("")}}
`;

const values = (kind: "color" | "image", all: readonly { readonly name: string; readonly id: string }[]) =>
  all.map(({ name, id }) => `\n  String? get ${id} => _reader.${kind}(${quoted(name)});\n`).join("");

const holder = (type: string, members: string) => `
class ${type} {
  const ${type}._(this._reader);

  final LiveryReader _reader;
${members}}
`;

const write = ({ screens, colors, images }: KeyModel) => `// ${HEAD}
// ignore_for_file: type=lint

/// What reads the content of the project.
abstract interface class LiveryReader {
  /// Returns a text with its placeholders filled in.
  String t(String key, Map<String, Object> params);

  /// Returns a colour as #rrggbb; null if the content lacks it.
  String? color(String key);

  /// Returns the address of an image; null if the content lacks it.
  String? image(String key);
}

class LiveryKeys {
  LiveryKeys(LiveryReader reader)
      : ${[...screens.map(({ id, type }) => `${id} = ${type}._(reader)`), "colors = LiveryColors._(reader)", "images = LiveryImages._(reader)"].join(",\n        ")};

${screens.map(({ id, type }) => `  final ${type} ${id};\n`).join("")}  final LiveryColors colors;
  final LiveryImages images;
}
${screens.map(screen).join("")}${holder("LiveryColors", values("color", colors))}${holder("LiveryImages", values("image", images))}`;

const naming: Naming = { isCamel: true, reserved: new Set([...RESERVED.split(" "), "colors", "images"]) };

export const dart: Language = { naming, write };
