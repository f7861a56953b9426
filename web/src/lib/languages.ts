/** Names and directions of languages by code, those of regions included, which the list of languages leaves out. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Language } from "./api-types";
import { languagesQuery } from "./queries";

export type LanguageName = Pick<Language, "code" | "name" | "nativeName" | "direction" | "flag" | "plurals">;

const english = new Intl.DisplayNames(["en"], { type: "language" });

function nameIn(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

function describeCode(code: string, known: ReadonlyMap<string, Language>): LanguageName {
  const listed = known.get(code);
  if (listed !== undefined) return listed;
  const base = known.get(code.split("-")[0] ?? code);
  let nativeName = code;
  try {
    nativeName = nameIn(new Intl.DisplayNames([code], { type: "language" }), code);
  } catch {
    // A code that the browser doesn't know is its own name.
  }
  return {
    code,
    name: nameIn(english, code),
    nativeName,
    direction: base?.direction ?? directionOf(code),
    flag: flagIn(code, base?.flag ?? ""),
    plurals: base?.plurals ?? [],
  };
}

/** The direction in which a language is written, if the browser knows it. Older browsers have a property in place of the method. */
function directionOf(code: string): Language["direction"] {
  type Text = { direction?: string } | undefined;
  try {
    const locale = new Intl.Locale(code) as Intl.Locale & { getTextInfo?: () => Text; textInfo?: Text };
    return (locale.getTextInfo?.() ?? locale.textInfo)?.direction === "rtl" ? "rtl" : "ltr";
  } catch {
    return "ltr";
  }
}

/** The flag of the region that a code names ('en-GB'), else that of the language. A language without a country of its own has no flag in any region. */
function flagIn(code: string, flag: string): string {
  const region = /-([A-Z]{2})(?=-|$)/.exec(code)?.[1];
  if (flag === "" || region === undefined) return flag;
  const regionalIndicatorA = 0x1f1e6;
  return String.fromCodePoint(...[...region].map((letter) => regionalIndicatorA + letter.charCodeAt(0) - 65));
}

/** A function from code to names; works before and without the server's list. The same function until the list changes. */
export function useLanguageNames(): (code: string) => LanguageName {
  const { data } = useQuery(languagesQuery);
  return useMemo(() => {
    const known = new Map(data?.languages.map((language) => [language.code, language]));
    const described = new Map<string, LanguageName>();
    return (code: string) => {
      const found = described.get(code) ?? describeCode(code, known);
      described.set(code, found);
      return found;
    };
  }, [data]);
}
