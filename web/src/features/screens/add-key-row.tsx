/** The last row of the grid: adds a key, or many that are pasted from a spreadsheet. */
import { Button, Textarea, TextInput } from "@mantine/core";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import type { LanguageName } from "@/lib/languages";
import { later } from "@/ui/later";
import { look } from "@/ui/look";
import { Box } from "@/ui/parts";
import { soon } from "@/ui/soon";
import classes from "./add-key-row.module.css";
import { type KeyLine, keyLinesOf } from "./key-lines";
import { useAddKey } from "./key-writes";
import type { KeyRecord } from "./queries";

const KeptNewKey = soon(async () => (await import("./kept-new-key")).KeptNewKey);
const pastedKeys = later(async () => (await import("./pasted-keys")).PastedKeys, null);

export interface AddKeyHandle {
  focus: () => void;
}

export function AddKeyRow({
  projectId,
  screen,
  source,
  onAdded,
  autoFocus,
  handle,
  offer,
  onAcceptOffer,
}: {
  projectId: string;
  screen: string;
  source: LanguageName;
  onAdded: (record: KeyRecord) => void;
  autoFocus: boolean;
  handle: Ref<AddKeyHandle>;
  /** What there is to do with keys that were added. */
  offer: ReactNode;
  /** Alt+T in the fields. */
  onAcceptOffer: () => void;
}) {
  pastedKeys.useFetched();
  const add = useAddKey({ projectId, screen });
  const nameField = useRef<HTMLInputElement>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [pasted, setPasted] = useState<KeyLine[] | null>(null);
  useImperativeHandle(handle, () => ({ focus: () => nameField.current?.focus() }));

  const submit = async () => {
    if (isAdding) return;
    setAdding(true);
    setError(null);
    try {
      const record = await add(name.trim(), text === "" ? {} : { [source.code]: text });
      onAdded(record);
      setName("");
      setText("");
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : "Failed to add key");
    } finally {
      setAdding(false);
      nameField.current?.focus();
    }
  };
  const isEnter = (event: KeyboardEvent) =>
    event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
  const onPaste = (event: ClipboardEvent) => {
    if (pasted !== null) return;
    const lines = keyLinesOf(event.clipboardData.getData("text/plain"));
    if (lines === null || lines.length === 0) return;
    event.preventDefault();
    setPasted(lines);
  };

  return (
    <Box place="sticky" fill="sunken" lineAbove className={classes["foot"]}>
      <form
        {...(pasted === null ? { className: classes["add"] } : {})}
        aria-label="Add a key"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onPaste={onPaste}
        onKeyDown={(event) => {
          const isT = event.key.toLowerCase() === "t" || event.code === "KeyT";
          if (!isT || !event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onAcceptOffer();
        }}
      >
        {/* Stays mounted during a paste. A new mount would offer the text in the fields as that of an earlier visit. */}
        <KeptNewKey
          projectId={projectId}
          screen={screen}
          name={name}
          text={text}
          isHidden={pasted !== null}
          onContinue={(written) => {
            setName(written.name);
            setText(written.text);
          }}
        />
        {pasted === null ? (
          <>
            <TextInput
              ref={nameField}
              size="sm"
              className={look({ ms: 7, me: 7, monoField: true }, classes["name"])}
              aria-label="Name of the new key"
              placeholder="new_key"
              value={name}
              error={error}
              readOnly={isAdding}
              autoFocus={autoFocus}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              onChange={(event) => {
                setError(null);
                setName(event.currentTarget.value);
              }}
              onKeyDown={(event) => {
                if (!isEnter(event)) return;
                event.preventDefault();
                if (text === "" && name.trim() !== "") textField.current?.focus();
                else void submit();
              }}
            />
            <Textarea
              ref={textField}
              size="sm"
              className={look({ ms: 7, me: 7 }, classes["text"])}
              aria-label={`${source.name} text of the new key`}
              placeholder={`Add a key: name, then ${source.name} text. Paste two columns to add many.`}
              value={text}
              readOnly={isAdding}
              autosize
              minRows={1}
              maxRows={12}
              dir={text === "" ? "ltr" : source.direction}
              lang={source.code}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (!isEnter(event)) return;
                event.preventDefault();
                void submit();
              }}
            />
            <Button type="submit" loading={isAdding} disabled={name.trim() === ""}>
              Add key
            </Button>
          </>
        ) : (
          <pastedKeys.Part
            lines={pasted}
            add={(line) => add(line.name, line.text === "" ? {} : { [source.code]: line.text })}
            onAdded={onAdded}
            onClose={() => setPasted(null)}
          />
        )}
      </form>
      {pasted === null && offer}
    </Box>
  );
}
