/**
 * Edits name, description and default language. A colleague's changes since then are shown, never overwritten unseen.
 */
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { api, failureOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { showRefusal } from "@/lib/forms";
import { useLanguageNames } from "@/lib/languages";
import { PROJECT_DESCRIPTION_CHARACTERS, PROJECT_NAME_CHARACTERS } from "@/lib/limits.gen";
import { keepProject } from "@/lib/project";
import { currentIn, editorIn } from "@/lib/stale-revision";
import { type FormText, useKeptForm } from "@/lib/use-kept-form";
import { announce } from "@/lib/window-events";
import { z } from "@/lib/zod";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Row, Text } from "@/ui/parts";
import { changesOf, conflictsOf, type Details, detailsOf, fields, isSeen, seenIn, seenOf } from "./general-details";

const tooLong = (limit: number) => `Use at most ${limit.toLocaleString("en")} characters.`;

const schema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "Project name is required."),
      z.maxLength(PROJECT_NAME_CHARACTERS, tooLong(PROJECT_NAME_CHARACTERS)),
    ),
  description: z
    .string()
    .check(z.trim(), z.maxLength(PROJECT_DESCRIPTION_CHARACTERS, tooLong(PROJECT_DESCRIPTION_CHARACTERS))),
  defaultLanguage: z.string(),
});

export function GeneralForm({ project, onDone }: { project: Project; onDone: () => void }) {
  const { save, theirs, author, form, kept, resume } = useGeneralForm(project, onDone);
  const { errors, isSubmitting } = form.formState;
  const giveUp = () => {
    kept.forget();
    onDone();
  };
  const take = (field: keyof Details) => () =>
    form.setValue(field, theirs?.[field] ?? "", { shouldDirty: true, shouldValidate: true });
  const conflict = (field: keyof Details) =>
    theirs?.[field] === undefined ? null : (
      <Conflict
        field={field}
        value={theirs[field]}
        isTaken={form.watch(field) === theirs[field]}
        onTake={take(field)}
      />
    );
  return (
    <form
      className={look({ layout: "stack", gap: 16, grow: true, shrink: true, p: 16 })}
      aria-label="General information"
      noValidate
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented && !isSubmitting) onDone();
      }}
    >
      <KeptNotice kept={kept} onContinue={resume} />
      {theirs !== null && (
        <Notice tone="warn">
          {author} changed this project while you were editing it. Saving now puts your version in place of theirs.
        </Notice>
      )}
      <div>
        <TextInput
          label="Project name"
          autoComplete="off"
          autoFocus
          error={errors.name?.message}
          {...form.register("name")}
        />
        {conflict("name")}
      </div>
      <div>
        <Textarea
          label="Description"
          description="What the app is, for the people who work on its texts."
          autosize
          minRows={3}
          maxRows={10}
          error={errors.description?.message}
          {...form.register("description")}
        />
        {conflict("description")}
      </div>
      <div>
        <DefaultLanguage
          project={project}
          field={form.register("defaultLanguage")}
          error={errors.defaultLanguage?.message}
        />
        {conflict("defaultLanguage")}
      </div>
      <Row wrap align="center" gap={8}>
        <Button type="submit" variant="filled" loading={isSubmitting}>
          {theirs === null ? "Save" : "Save mine"}
        </Button>
        <Button onClick={giveUp} disabled={isSubmitting}>
          {theirs === null ? "Cancel" : "Keep theirs"}
        </Button>
      </Row>
    </form>
  );
}

function useGeneralForm(project: Project, onDone: () => void) {
  const { projectId } = project;
  const client = useQueryClient();
  /** What was seen when the editing began, or when the conflict was shown: later news don't count as seen. */
  const [base, setBase] = useState(project);
  /** What a colleague made of the fields that were edited here too. */
  const [theirs, setTheirs] = useState<Partial<Details> | null>(null);
  const [author, setAuthor] = useState("");
  const form = useForm({ resolver: zodResolver(schema), defaultValues: detailsOf(project) });
  const kept = useKeptForm(form, { form: "general", project: projectId }, fields, seenOf(base));
  /** The text goes on from the record that its author saw: if a colleague changed the same field since, saving asks. */
  const resume = (offered: FormText) => {
    if (isSeen(offered.seen)) setBase({ ...project, ...seenIn(offered.seen, offered.fields) });
    kept.resume(offered);
  };

  /** Puts the change on `seen`; when others changed only what was not edited here, on what they made of it. */
  const write = async (values: Details, seen: Project): Promise<Project | null> => {
    const changes = changesOf(values, seen);
    if (Object.keys(changes).length === 0) return seen;
    try {
      return await take(
        api.PUT("/api/projects/{projectId}", {
          params: { path: { projectId } },
          body: { ...changes, revision: seen.revision },
        }),
      );
    } catch (error) {
      const current = currentIn<Project>(error);
      if (current === undefined) throw error;
      keepProject(client, projectId, current);
      const conflicts = conflictsOf(changes, seen, current);
      const untouched = { ...detailsOf(current), ...changes };
      if (Object.keys(conflicts).length === 0) return write(untouched, current);
      form.reset(untouched, { keepDefaultValues: true });
      setBase(current);
      setTheirs(conflicts);
      setAuthor(editorIn(error));
      return null;
    }
  };
  const save = form.handleSubmit(async (values) => {
    try {
      const saved = await write(values, base);
      if (saved === null) return;
      kept.forget();
      if (saved !== base) {
        keepProject(client, projectId, saved);
        announce("projectUpdated", { projectId });
        toast.success("Settings saved.");
      }
      onDone();
    } catch (error) {
      showRefusal(error, fields, form.setError, { fallback: "Failed to save settings" });
      toast.error(`Error saving settings: ${failureOf(error, "Failed to save settings")}`);
    }
  });
  return { save, theirs, author, form, kept, resume };
}

function Conflict({
  field,
  value,
  isTaken,
  onTake,
}: {
  field: keyof Details;
  value: string;
  isTaken: boolean;
  onTake: () => void;
}) {
  const nameOf = useLanguageNames();
  const shown = field === "defaultLanguage" ? nameOf(value).name : value === "" ? "(empty)" : value;
  return (
    <Row align="center" justify="between" gap={12} px={12} py={8} mt={6} fill="warn-soft" radius="s" size="s" breaks>
      <Text shrink space="pre-line">
        <Text as="span" size="s" tone="ink-2">
          Theirs:{" "}
        </Text>
        {shown}
      </Text>
      <Button size="xs" className={look({ rigid: true })} disabled={isTaken} onClick={onTake}>
        Use theirs
      </Button>
    </Row>
  );
}

function DefaultLanguage({
  project,
  field,
  error,
}: {
  project: Project;
  field: UseFormRegisterReturn<"defaultLanguage">;
  error: string | undefined;
}) {
  const nameOf = useLanguageNames();
  const isFixed = project.release > 0 || project.languages.length < 2;
  return (
    <NativeSelect
      size="md"
      label="Default language"
      description={
        project.release > 0
          ? "Fixed since the first publish: apps fall back to it."
          : project.languages.length < 2
            ? "Apps show it where a translation is missing. Add another language to choose between them."
            : "Apps show it where a translation is missing. You can change it until you first publish."
      }
      data={project.languages.map((code) => ({ value: code, label: nameOf(code).name }))}
      error={error}
      {...field}
      disabled={isFixed}
    />
  );
}
