/** An item in all its languages: written, saved, and filled by AI. Nothing that was typed is lost without a question. */
import { Button, Modal } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { ApiError, failureOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import type { Typed } from "@/lib/field-types/field-type";
import { isMac } from "@/lib/keyboard";
import { useLanguageNames } from "@/lib/languages";
import { may } from "@/lib/project";
import { currentIn } from "@/lib/stale-revision";
import { useAttempt } from "@/lib/use-attempt";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { type Unsaved, useDirty, useLeaveGuard } from "@/lib/use-leave-guard";
import { dialogFrame } from "@/ui/dialog-frame";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { AutoFill } from "./auto-fill";
import { type Clash, ConflictNotice } from "./conflict-notice";
import { DiscardQuestion } from "./discard-question";
import classes from "./item-dialog.module.css";
import {
  clashesOf,
  type Edits,
  firstMissing,
  payloadOf,
  shownIn,
  slotOf,
  stillDifferent,
  withEdit,
} from "./item-edits";
import { ItemField } from "./item-field";
import { type ItemText, itemSeenBy, itemTextIn, itemTextOf } from "./item-text";
import { useItemWrites } from "./item-writes";
import { LanguageTabs } from "./language-tabs";
import type { Item, Store, StoreField } from "./queries";

const REQUIRED = "This field is required.";

export function ItemDialog({
  project,
  store,
  item,
  language,
  onClose,
}: {
  project: Project;
  store: Store;
  /** Null for a new item. As it is now: it changes while the dialog is open. */
  item: Item | null;
  /** The tab to begin with; the default language where it is left out. */
  language?: string;
  onClose: () => void;
}) {
  const [unsaved, setUnsaved] = useState<Unsaved>(false);
  const guard = useLeaveGuard(unsaved);
  const close = () => guard.ask(onClose);
  const mayEdit = may(project, "edit");
  return (
    <Modal
      opened
      onClose={close}
      title={item === null ? "Add New Item" : mayEdit ? "Edit Item" : "View Item"}
      size={780}
      classNames={dialogFrame}
    >
      <ItemForm
        project={project}
        store={store}
        item={item}
        language={language ?? project.defaultLanguage}
        onDirty={setUnsaved}
        onClose={close}
        onSaved={onClose}
      />
      <DiscardQuestion guard={guard}>What you wrote in this item is not saved.</DiscardQuestion>
    </Modal>
  );
}

interface Conflict {
  current: Item;
  clashes: readonly Clash[];
}

function ItemForm({
  project,
  store,
  item,
  language: firstLanguage,
  onDirty,
  onClose,
  onSaved,
}: {
  project: Project;
  store: Store;
  item: Item | null;
  language: string;
  onDirty: (unsaved: Unsaved) => void;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { defaultLanguage, projectId } = project;
  const languages = [defaultLanguage, ...project.languages.filter((code) => code !== defaultLanguage)];
  const { fields } = store;
  const mayEdit = may(project, "edit");
  const [base, setBase] = useState(item);
  const [edits, setEdits] = useState<Edits>(() => new Map());
  const [chosen, setLanguage] = useState(firstLanguage);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  /** Something was saved for AI, or by AI, which no Cancel takes back. */
  const [isSaved, setSaved] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const toFocus = useRef<string | null>(null);
  const writes = useItemWrites({ projectId, store });
  const attempt = useAttempt();
  const nameOf = useLanguageNames();
  const language = languages.includes(chosen) ? chosen : defaultLanguage;
  const isSaving = writes.create.isPending || writes.change.isPending;

  // The form takes in what colleagues write, unless it meets a value that is being written here: saving asks then.
  if (item !== null && base !== null && item.revision > base.revision && conflict === null && !isSaving) {
    if (clashesOf(edits, base, item, fields, languages).length === 0) {
      setBase(item);
      setEdits(stillDifferent(edits, item, fields, languages));
    }
  }
  const kept = useKeptText<ItemText>(mayEdit ? placeOf(projectId, store, base) : null, (stored) =>
    itemTextIn(stored, base, fields, languages),
  );
  useKeepTyped(kept, itemTextOf(edits, base, fields, languages));
  useDirty(edits.size > 0, kept.forget, onDirty);
  useEffect(() => {
    const slot = toFocus.current;
    toFocus.current = null;
    if (slot !== null) focusSlot(form.current, slot);
  });

  const edit = (field: StoreField, value: Typed) => {
    setEdits((present) => withEdit(present, base, field, language, value));
    setProblems((present) => without(present, slotOf(field, language)));
    setFailure(null);
  };
  const show = (field: StoreField, code: string) => {
    setLanguage(code);
    toFocus.current = slotOf(field, code);
  };

  /** Returns the saved item; null when it was not saved, and the form shows why. */
  const save = async (onto: Item | null): Promise<Item | null> => {
    const missing = firstMissing(edits, onto, fields, defaultLanguage);
    if (missing !== null) {
      setProblems(new Map([[slotOf(missing, defaultLanguage), REQUIRED]]));
      show(missing, defaultLanguage);
      return null;
    }
    if (!attempt.begin()) return null;
    setFailure(null);
    setConflict(null);
    const data = payloadOf(edits, onto, fields, languages);
    try {
      const saved =
        onto === null ? await writes.create.mutateAsync(data) : await writes.change.mutateAsync({ item: onto, data });
      kept.forget();
      setBase(saved);
      setEdits(new Map());
      setProblems(new Map());
      attempt.failed(); // another save may follow, as before AI fills a language
      return saved;
    } catch (error) {
      attempt.failed();
      return refuse(error, onto);
    }
  };

  const refuse = async (error: unknown, onto: Item | null): Promise<Item | null> => {
    const current = currentIn<Item>(error);
    if (current !== undefined && onto !== null) {
      const clashes = clashesOf(edits, onto, current, fields, languages);
      // Where nobody wrote into the same value, both go together.
      if (clashes.length === 0) return save(current);
      setConflict({ current, clashes });
      return null;
    }
    const placed = problemsOf(error, fields, languages);
    setProblems(placed);
    const [first] = placed.keys();
    const at = first === undefined ? undefined : slotPlace(first, fields, languages);
    if (at !== undefined) show(at.field, at.language);
    if (placed.size === 0 || !(error instanceof ApiError)) {
      setFailure(failureOf(error, onto === null ? "Failed to create item." : "Failed to update item."));
    }
    return null;
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!mayEdit || isSaving) return;
    if (base !== null && edits.size === 0) return onSaved();
    const isNew = base === null;
    const saved = await save(base);
    if (saved === null) return;
    toast.success(isNew ? "Item created successfully!" : "Item updated successfully!");
    onSaved();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  const takeTheirs = ({ current, clashes }: Conflict) => {
    let kept = new Map(edits);
    for (const clash of clashes) kept.delete(slotOf(clash.field, clash.language));
    kept = new Map(stillDifferent(kept, current, fields, languages));
    setBase(current);
    setEdits(kept);
    setConflict(null);
  };
  const keepMine = async ({ current }: Conflict) => {
    setBase(current);
    if ((await save(current)) === null) return;
    toast.success("Item updated successfully!");
    onSaved();
  };

  return (
    <form
      className={look({ layout: "stack", grow: true, minH: 0 }, classes["form"])}
      ref={form}
      onSubmit={(event) => void submit(event)}
      onKeyDown={onKeyDown}
    >
      {languages.length > 1 && (
        <LanguageTabs
          languages={languages.map(nameOf)}
          chosen={language}
          edited={new Set(languages.filter((code) => [...edits.keys()].some((slot) => slot.endsWith(`/${code}`))))}
          onChoose={setLanguage}
        />
      )}
      <Stack
        gap={16}
        grow
        px={20}
        pt={16}
        pb={20}
        minH={0}
        scroll
        {...(languages.length > 1 ? panelOf(language, nameOf(language).name) : {})}
      >
        <KeptNotice
          kept={kept}
          onContinue={(text) => {
            setBase(itemSeenBy(text, base));
            setEdits(new Map(Object.entries(text.edits)));
          }}
        />
        {mayEdit && languages.length > 1 && (
          <AutoFill
            project={project}
            store={store}
            item={base}
            language={nameOf(language)}
            reference={nameOf(defaultLanguage)}
            edits={edits}
            onSaveFirst={async () => {
              const saved = await save(base);
              if (saved !== null) setSaved(true);
              return saved;
            }}
            fill={writes.fill}
            onFilled={(filled, isChanged) => {
              setBase(filled);
              if (isChanged) setSaved(true);
              setEdits((present) => stillDifferent(present, filled, fields, languages));
            }}
          />
        )}
        {fields.length === 0 && (
          <Text size="s" tone="ink-3">
            This Data Store has no fields yet.
          </Text>
        )}
        {fields.map((field) => {
          const isOff = !field.isTranslatable && language !== defaultLanguage;
          const slot = slotOf(field, language);
          return (
            <ItemField
              key={slot}
              slot={slot}
              projectId={projectId}
              field={field}
              language={nameOf(field.isTranslatable ? language : defaultLanguage)}
              value={shownIn(edits, base, field, language)}
              fallback={language === defaultLanguage || isOff ? "" : shownIn(edits, base, field, defaultLanguage)}
              isRequired={field.required && language === defaultLanguage}
              isOff={isOff}
              isReadOnly={!mayEdit}
              isByAi={!edits.has(slot) && (base?.aiWritten.includes(`${field.name}/${language}`) ?? false)}
              problem={problems.get(slot)}
              onChange={(value) => edit(field, value)}
            />
          );
        })}
      </Stack>
      {conflict !== null && (
        <ConflictNotice
          clashes={conflict.clashes}
          current={conflict.current}
          nameOf={nameOf}
          onTheirs={() => takeTheirs(conflict)}
          onMine={() => void keepMine(conflict)}
        />
      )}
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <Row wrap align="center" justify="end" gap={8} rigid px={20} py={12} lineAbove>
        {mayEdit ? (
          <>
            <span className={look({ me: "auto", size: "s", tone: "ink-3", hide: "small" })}>
              {isMac ? "⌘ ↩" : "Ctrl Enter"} saves
            </span>
            <Button onClick={onClose} disabled={isSaving}>
              {isSaved && edits.size === 0 ? "Close" : "Cancel"}
            </Button>
            <Button type="submit" variant="filled" loading={isSaving}>
              {base === null ? "Add item" : "Save changes"}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )}
      </Row>
    </form>
  );
}

/** A new item has no id; the store's id takes its place. */
const placeOf = (project: string, store: Store, item: Item | null) =>
  item === null ? { form: "new item", project, id: store._id } : { form: "item", project, id: item._id };

const panelOf = (code: string, name: string) => ({ role: "tabpanel", id: `item-${code}`, "aria-label": name });

function focusSlot(form: HTMLFormElement | null, slot: string): void {
  const place = [...(form?.querySelectorAll<HTMLElement>("[data-slot]") ?? [])].find(
    (element) => element.dataset["slot"] === slot,
  );
  place?.querySelector<HTMLElement>("input, textarea, [contenteditable=true]")?.focus();
  place?.scrollIntoView({ block: "nearest" });
}

function without(problems: ReadonlyMap<string, string>, slot: string): ReadonlyMap<string, string> {
  if (!problems.has(slot)) return problems;
  const next = new Map(problems);
  next.delete(slot);
  return next;
}

/** The server's messages by slot. `data.title` is of a field, or of its default language if it is translatable; `data.title.de` is of one language. */
function problemsOf(error: unknown, fields: readonly StoreField[], languages: readonly string[]): Map<string, string> {
  const placed = new Map<string, string>();
  if (!(error instanceof ApiError)) return placed;
  for (const [path, text] of Object.entries(error.fields)) {
    for (const field of fields) {
      const code = languages.find((one) => path === `data.${field.name}.${one}`) ?? languages[0] ?? "";
      if (path === `data.${field.name}` || path === `data.${field.name}.${code}`) placed.set(slotOf(field, code), text);
    }
  }
  return placed;
}

function slotPlace(slot: string, fields: readonly StoreField[], languages: readonly string[]) {
  for (const field of fields) {
    const language = languages.find((code) => slotOf(field, code) === slot);
    if (language !== undefined) return { field, language };
  }
  return undefined;
}
