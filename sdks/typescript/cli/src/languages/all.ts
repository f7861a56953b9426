/** Writes keys in each language. */

import type { Content, Stores } from "../content.js";
import { modelOf } from "../key-model.js";
import { dart } from "./dart.js";
import { kotlin } from "./kotlin.js";
import type { Language } from "./language.js";
import type { LanguageName } from "./names.js";
import { python } from "./python.js";
import { swift } from "./swift.js";

const LANGUAGES: Readonly<Record<LanguageName, Language>> = { python, kotlin, swift, dart };

/** Returns the text of the file at `path` with the keys in a language. */
export function writeKeys(name: LanguageName, path: string, contents: readonly Content[], stores: Stores): string {
  const language = LANGUAGES[name];
  return language.write(modelOf(contents, stores, language.naming), path);
}
