/** Announces to screen readers what became of an edit; everybody else sees it in the state column. */
import { VisuallyHidden } from "@mantine/core";
import type { LanguageName } from "@/lib/languages";
import type { Edit } from "./edit";
import { useEdits } from "./use-outbox";

const said: Record<Edit["status"], string> = {
  saving: "",
  saved: "saved.",
  waiting: "not saved: the server can't be reached. Livery tries again.",
  refused: "not saved.",
  conflict: "was changed by somebody else too. Choose which text stays.",
};

export function SaveAnnouncer({ nameOf }: { nameOf: (code: string) => LanguageName }) {
  const last = [...useEdits().values()].at(-1);
  const text =
    last === undefined || said[last.status] === ""
      ? ""
      : `${last.keyName} in ${nameOf(last.language).name}: ${said[last.status]}`;
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
}
