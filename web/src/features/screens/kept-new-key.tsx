/** Keeps what is written in the row that adds keys, and offers what an earlier visit left there. */
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { KeptNotice } from "@/ui/kept-notice";

interface NewKey {
  readonly name: string;
  readonly text: string;
}

function newKeyIn(stored: unknown): NewKey | null {
  const { name, text } = Object(stored) as Partial<Record<keyof NewKey, unknown>>;
  return typeof name === "string" && typeof text === "string" ? { name, text } : null;
}

export function KeptNewKey({
  projectId,
  screen,
  name,
  text,
  isHidden,
  onContinue,
}: NewKey & {
  projectId: string;
  screen: string;
  /** Pasted keys have the place of the fields. */
  isHidden: boolean;
  onContinue: (written: NewKey) => void;
}) {
  const kept = useKeptText<NewKey>({ form: "new key", project: projectId, id: screen }, newKeyIn);
  useKeepTyped(kept, name === "" && text === "" ? null : { name, text });
  return isHidden ? null : <KeptNotice kept={kept} onContinue={onContinue} />;
}
