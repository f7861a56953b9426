"use client";

/** A text with components in it: tags and parameters of the text become elements of React. */

import type {
  ParamsOf,
  PlainTextKey,
  TextKey,
  TextKeyWithParams,
  TextParam,
  TextParams,
  WriteArgument,
} from "@livery/client";
import { cloneElement, Fragment, isValidElement, type JSX, type ReactElement, type ReactNode } from "react";
import { useRead } from "./hooks.js";

/** What a tag becomes: an element, which gets the content of the tag as children, or a function of the content. */
export type TagComponent = ReactElement | ((content: ReactNode) => ReactNode);

/** A parameter may be an element, too. */
type Rich<Params> = { readonly [Name in keyof Params]: Params[Name] | ReactElement };

/** The props of `<T>`. A text that needs parameters makes `params` required. */
export type TProps<Key extends TextKey = TextKey> = {
  /** The key of the text: `"screen.key"`. */
  readonly id: Key;
  /** What stands for the tags of the text: `{ link: <a href="/terms" /> }` for `<link>terms</link>`. */
  readonly components?: Readonly<Record<string, TagComponent>> | undefined;
  /** The text that shows where the content has no text. */
  readonly fallback?: string | undefined;
} & (Key extends TextKeyWithParams
  ? { readonly params: Rich<ParamsOf<Key>> }
  : { readonly params?: Readonly<Record<string, TextParam | ReactElement | null | undefined>> | undefined });

const TAG = /<(\/?)([A-Za-z][\w-]*)\s*(\/?)>/g;
/** Tags without a component of the app's. A text can't give them attributes. */
const PLAIN = new Set(["b", "strong", "i", "em", "u", "s", "small", "sub", "sup", "code", "mark"]);
/** They enclose the number of a parameter. Unicode promises that no text has these characters. */
const OPEN = "\uFDD0";
const CLOSE = "\uFDD1";
const PLACED = /\uFDD0(\d+)\uFDD1/;

/**
 * Renders a text whose tags and parameters may be elements. Only tags that `components` names, `<br/>` and the plain formatting tags (`<b>`, `<em>` …)
 * become elements. Any other tag, and a tag without its end, is shown as it is written. Parameters are never read as tags.
 */
export function T<Key extends TextKey>({ id, params, components, fallback }: TProps<Key>): JSX.Element {
  const placed: ReactNode[] = [];
  const write: WriteArgument = (_, value: unknown) => {
    if (value === undefined || value === null) return undefined;
    placed.push(isValidElement(value) ? value : String(value));
    return `${OPEN}${placed.length - 1}${CLOSE}`;
  };
  const text = useRead((reader) => {
    placed.length = 0;
    return reader.t(id as PlainTextKey, params as TextParams | undefined, fallback ?? {}, write);
  });
  return <Fragment>{withTags(text, components ?? {}, placed)}</Fragment>;
}

type Components = Readonly<Record<string, TagComponent>>;

/** An element that is open, and what is in it so far. */
interface Level {
  readonly name: string;
  readonly source: string;
  readonly children: ReactNode[];
}

function withTags(text: string, components: Components, placed: readonly ReactNode[]): ReactNode {
  const levels: Level[] = [{ name: "", source: "", children: [] }];
  const put = (...nodes: ReactNode[]) => levels.at(-1)?.children.push(...nodes);
  /** Ends the innermost level: as an element, or as the text that it was. */
  const end = (isClosed: boolean) => {
    const level = levels.pop() as Level;
    if (isClosed) put(elementOf(level.name, components, level.children));
    else put(level.source, ...level.children);
  };
  let at = 0;
  for (const found of text.matchAll(TAG)) {
    const [source, closes, name = "", isEmpty] = found;
    put(...withValues(text.slice(at, found.index), placed));
    at = found.index + source.length;
    const isOpen = levels.some((level) => level.name === name);
    if (!Object.hasOwn(components, name) && !PLAIN.has(name) && name !== "br") put(source);
    else if (closes && isOpen) {
      while (levels.at(-1)?.name !== name) end(false);
      end(true);
    } else if (closes) put(source);
    else if (isEmpty || name === "br") put(elementOf(name, components, []));
    else levels.push({ name, source, children: [] });
  }
  put(...withValues(text.slice(at), placed));
  while (levels.length > 1) end(false);
  return keyed(levels[0]?.children ?? []);
}

function elementOf(name: string, components: Components, children: readonly ReactNode[]): ReactNode {
  const content = children.length > 0 ? keyed(children) : undefined;
  const component = Object.hasOwn(components, name) ? components[name] : undefined;
  if (typeof component === "function") return component(content);
  if (component) return content === undefined ? component : cloneElement(component, undefined, content);
  const Tag = name as "b";
  return content === undefined ? <Tag /> : <Tag>{content}</Tag>;
}

/** The text between tags, with the parameters in their places. */
const withValues = (text: string, placed: readonly ReactNode[]): ReactNode[] =>
  text.split(PLACED).map((part, at) => (at % 2 ? placed[Number(part)] : part));

/** The same nodes, each with a key: they differ by their places alone. */
const keyed = (nodes: readonly ReactNode[]): ReactNode =>
  nodes
    .filter((node) => node !== "" && node !== undefined)
    .map((node, at) => (isValidElement(node) ? <Fragment key={String(at)}>{node}</Fragment> : node));
