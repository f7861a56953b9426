/** The files that a person gives, with their paths in the folder that they come from. */
import type { Format } from "./queries";

export interface Given {
  readonly path: string;
  readonly file: File;
}

/** 'locales/de.json' of a folder; else the name. */
function pathOf(file: File & { path?: string }): string {
  const path = file.webkitRelativePath || file.path || file.name;
  return path.replace(/^\.?\//, "");
}

const isHidden = (path: string) => path.split("/").some((part) => part.startsWith(".") || part === "node_modules");

const STYLES = /\.(?:css|scss|less)$/i;
/** Few of the style sheets of an app have its colours. */
const THEME = /colou?r|theme|token|palette|variable|global|(?:^|\/)(?:index|app|main|root)\./i;

/**
 * Takes files that were chosen by themselves, and the files of a folder whose extension is that of a format. Of style sheets in a folder, it takes those
 * whose name is that of a theme.
 */
export function takenOf(files: readonly File[], formats: readonly Format[]): { taken: Given[]; left: number } {
  const extensions = formats.flatMap((format) => format.extensions);
  // Before the formats are known, the server decides.
  const isOfFormat = (path: string) =>
    (extensions.length === 0 || extensions.some((extension) => path.toLowerCase().endsWith(extension))) &&
    (!STYLES.test(path) || THEME.test(path));
  const all = files.map((file) => ({ path: pathOf(file), file }));
  const taken = all.filter(({ path }) => !path.includes("/") || (isOfFormat(path) && !isHidden(path)));
  return { taken, left: all.length - taken.length };
}
