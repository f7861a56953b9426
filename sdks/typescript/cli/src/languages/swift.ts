/** The keys as a file of Swift. */

import type { KeyModel, KeyName, Naming, ScreenName } from "../key-model.js";
import type { Use } from "../messages.js";
import { HEAD, type Language } from "./language.js";

const RESERVED =
  "Any as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil open operator private protocol public repeat rethrows return self Self static struct subscript super switch throw throws true try typealias var where while reader Type Protocol";

const TYPES: Readonly<Record<Use, string>> = { any: "Any", moment: "Date", count: "Int", number: "Double" };

const quoted = (text: string) => JSON.stringify(text);

function method({ key, id, text, parameters }: KeyName): string {
  const given = parameters.map((one) => `${one.id}: ${TYPES[one.use]}`).join(", ");
  const values = parameters.map((one) => `${quoted(one.name)}: ${one.id}`).join(", ");
  return `
        /// ${text}
        public func ${id}(${given}) -> String { reader.t(${quoted(key)}, [${values || ":"}]) }
`;
}

const screen = ({ name, type, keys }: ScreenName) => `
    /// The texts of the screen ${name}.
    public struct ${type} {
        let reader: any LiveryReader
${keys.map(method).join("")}    }
`;

const values = (kind: "color" | "image", all: readonly { readonly name: string; readonly id: string }[]) =>
  all.map(({ name, id }) => `        public var ${id}: String? { reader.${kind}(${quoted(name)}) }\n`).join("");

const write = ({ screens, colors, images }: KeyModel) => `// ${HEAD}

import Foundation

/// What reads the content of the project.
public protocol LiveryReader {
    /// Returns a text with its placeholders filled in.
    func t(_ key: String, _ params: [String: Any]) -> String
    /// Returns a colour as #rrggbb; nil if the content lacks it.
    func color(_ key: String) -> String?
    /// Returns the address of an image; nil if the content lacks it.
    func image(_ key: String) -> String?
}

public struct LiveryKeys {
${screens.map(({ id, type }) => `    public let ${id}: ${type}\n`).join("")}    public let colors: ColorValues
    public let images: ImageAddresses

    public init(_ reader: any LiveryReader) {
${screens.map(({ id, type }) => `        ${id} = ${type}(reader: reader)\n`).join("")}        colors = ColorValues(reader: reader)
        images = ImageAddresses(reader: reader)
    }
${screens.map(screen).join("")}
    public struct ColorValues {
        let reader: any LiveryReader
${values("color", colors)}    }

    public struct ImageAddresses {
        let reader: any LiveryReader
${values("image", images)}    }
}
`;

const naming: Naming = { isCamel: true, reserved: new Set([...RESERVED.split(" "), "colors", "images"]) };

export const swift: Language = { naming, write };
