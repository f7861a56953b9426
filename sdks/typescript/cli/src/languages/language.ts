/** What each language of generated code does. */

import type { KeyModel, Naming } from "../key-model.js";

export interface Language {
  readonly naming: Naming;
  /** Returns the text of the file. `path` is where it will be. */
  readonly write: (model: KeyModel, path: string) => string;
}

export const HEAD = `The keys of the project. Written by the command "pull" of Livery: don't edit it, run the command again.`;
