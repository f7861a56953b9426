/** Every shared case keeps to the schema, so that other SDKs can rely on it. Knows just the keywords that the schema uses. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Schema | true>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  $defs?: Record<string, Schema>;
}

const folder = new URL("../../../spec/", import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, folder), "utf8"));
const root = read("case.schema.json") as Schema;

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function errors(value: unknown, schema: Schema | boolean, path: string): string[] {
  if (typeof schema === "boolean") return schema ? [] : [`${path}: not expected`];
  if (schema.$ref) return errors(value, root.$defs?.[schema.$ref.split("/").at(-1) ?? ""] ?? false, path);
  if (schema.oneOf) {
    const fits = schema.oneOf.filter((one) => errors(value, one, path).length === 0).length;
    return fits === 1 ? [] : [`${path}: fits ${fits} of the forms`];
  }
  const found: string[] = [];
  const must = (isTrue: boolean, what: string) => void (isTrue || found.push(`${path}: ${what}`));
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const type = typeOf(value);
  if (types) must(types.includes(type) || (type === "integer" && types.includes("number")), `is ${type}`);
  if ("const" in schema) must(value === schema.const, "is another value");
  if (schema.enum) must(schema.enum.includes(value), "is none of the values");
  if (typeof value === "number") {
    must(value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity), "out of bounds");
    must(value < (schema.exclusiveMaximum ?? Infinity), "too large");
  } else if (Array.isArray(value)) {
    must(value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Infinity), "wrong length");
    found.push(...value.flatMap((item, at) => errors(item, schema.items ?? true, `${path}/${at}`)));
  } else if (type === "object") {
    const entries = Object.entries(value as object);
    must(entries.length >= (schema.minProperties ?? 0), "too few properties");
    must(entries.length <= (schema.maxProperties ?? Infinity), "too many properties");
    for (const name of schema.required ?? []) must(Object.hasOwn(value as object, name), `lacks ${name}`);
    for (const [name, inner] of entries) {
      const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
      found.push(...errors(inner, known ?? schema.additionalProperties ?? true, `${path}/${name}`));
    }
  }
  return found;
}

test.each(readdirSync(new URL("cases/", folder)))("%s keeps to the schema, and each name is used once", (file) => {
  const content = read(`cases/${file}`) as { cases: { name: string }[] };

  expect(errors({ ...content, cases: [{ name: "x", expect: [] }] }, root, file)).toEqual([]);
  for (const one of content.cases) expect(errors(one, root.$defs?.case ?? false, one.name)).toEqual([]);
  expect(new Set(content.cases.map((one) => one.name)).size).toBe(content.cases.length);
});

test("a case with an unknown step does not keep to the schema", () => {
  expect(errors({ name: "x", expect: [], steps: [{ dance: true }] }, root.$defs?.case ?? false, "x")).not.toEqual([]);
});
