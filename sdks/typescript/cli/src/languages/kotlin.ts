/** The keys as a file of Kotlin. */

import type { KeyModel, KeyName, Naming, ScreenName } from "../key-model.js";
import type { Use } from "../messages.js";
import { HEAD, type Language } from "./language.js";

const RESERVED =
  "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while reader toString hashCode equals getClass notify notifyAll wait";

const TYPES: Readonly<Record<Use, string>> = {
  any: "Any",
  moment: "java.util.Date",
  count: "Number",
  number: "Number",
};

const quoted = (text: string) => JSON.stringify(text).replaceAll("$", "\\$");
const doc = (text: string) => `/** ${text.replaceAll("*/", "*\u200b/").replaceAll("/*", "/\u200b*")} */`;

function method({ key, id, text, parameters }: KeyName): string {
  const given = parameters.map((one) => `${one.id}: ${TYPES[one.use]}`).join(", ");
  const values = parameters.map((one) => `${quoted(one.name)} to ${one.id}`).join(", ");
  const map = values ? `mapOf(${values})` : "emptyMap()";
  return `
        ${doc(text)}
        fun ${id}(${given}): String = reader.t(${quoted(key)}, ${map})
`;
}

const screen = ({ name, type, keys }: ScreenName) => `
    /** The texts of the screen ${name}. */
    class ${type} internal constructor(private val reader: LiveryReader) {${keys.map(method).join("")}    }
`;

/** The package that the path shows: what follows \`java\` or \`kotlin\`. */
function packageOf(path: string): string {
  const found = /(?:^|\/)(?:java|kotlin)\/(.+)\/[^/]+$/.exec(path)?.[1];
  return found ? `package ${found.replaceAll("/", ".")}\n\n` : "";
}

const values = (kind: "color" | "image", all: readonly { readonly name: string; readonly id: string }[]) =>
  all.map(({ name, id }) => `        val ${id}: String? get() = reader.${kind}(${quoted(name)})\n`).join("");

const write = ({ screens, colors, images }: KeyModel, path: string) => `// ${HEAD}
${packageOf(path)}/** What reads the content of the project. */
interface LiveryReader {
    /** Returns a text with its placeholders filled in. */
    fun t(key: String, params: Map<String, Any>): String

    /** Returns a colour as #rrggbb; null if the content lacks it. */
    fun color(key: String): String?

    /** Returns the address of an image; null if the content lacks it. */
    fun image(key: String): String?
}

class LiveryKeys(reader: LiveryReader) {
${screens.map(({ id, type }) => `    val ${id} = ${type}(reader)\n`).join("")}    val colors = ColorValues(reader)
    val images = ImageAddresses(reader)
${screens.map(screen).join("")}
    class ColorValues internal constructor(private val reader: LiveryReader) {
${values("color", colors)}    }

    class ImageAddresses internal constructor(private val reader: LiveryReader) {
${values("image", images)}    }
}
`;

const naming: Naming = { isCamel: true, reserved: new Set([...RESERVED.split(" "), "colors", "images"]) };

export const kotlin: Language = { naming, write };
