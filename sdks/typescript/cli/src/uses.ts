/** A place of the code that reads a text. */
export interface Use {
  /** `screen.key`; undefined if the name in the code has no valid key, or is computed. */
  readonly key: string | undefined;
  /** The name as the code has it, or the beginning of a computed name. */
  readonly name: string;
  /** For a computed name, what its key begins with; empty if it can be any key. */
  readonly prefix?: string | undefined;
  /** For a name of i18next: its namespace (undefined for the default namespace), and the name in it, with the prefix. */
  readonly i18next?: { readonly namespace?: string | undefined; readonly name: string } | undefined;
  readonly file: string;
  readonly line: number;
  readonly fallback?: string | undefined;
  /** The parameters that the code gives; undefined if the code computes them. */
  readonly params: readonly string[] | undefined;
}
