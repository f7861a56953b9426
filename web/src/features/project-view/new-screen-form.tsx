/** Adds a screen: shows how the name will be kept while it is typed. */
import { ActionIcon, Button, TextInput, Tooltip } from "@mantine/core";
import { useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { useNow } from "@/lib/use-now";
import { IconPlus } from "@/ui/icons";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import { Box } from "@/ui/parts";
import classes from "./new-screen-form.module.css";
import { checkScreenName } from "./screen-name";
import { refusalOfScreen, screenLimitReason, useAddScreen } from "./use-screens";

export function NewScreenForm({ project, onAdded }: { project: Project; onAdded?: () => void }) {
  const [input, setInput] = useState("");
  const [error, setError] = useState<string | null>(null);
  /** Whether the plan's limit refused the name. The message stays as long as the limit holds. */
  const [isLimited, setLimited] = useState(false);
  const [suggestion, setSuggestion] = useState<string>();
  // Two Enters may arrive before the first has drawn anything.
  const isAdding = useRef(false);
  const add = useAddScreen(project);
  const reason = screenLimitReason(project, useNow());
  const kept = useKeptText<string>({ form: "new screen", project: project.projectId }, (stored) =>
    typeof stored === "string" && stored.trim() !== "" ? stored : null,
  );
  useKeepTyped(kept, input.trim() === "" ? null : input);
  if (!may(project, "edit")) return null;

  const submit = async (wanted: string) => {
    if (isAdding.current) return;
    const checked = checkScreenName(wanted, project.tabs);
    setSuggestion("error" in checked ? checked.suggestion : undefined);
    if ("error" in checked) return setError(checked.error);
    setLimited(reason !== null);
    if (reason !== null) return setError(null);
    isAdding.current = true;
    try {
      await add.mutateAsync(checked.name);
      kept.forget();
      setInput("");
      setError(null);
      onAdded?.();
    } catch (failure) {
      setError(refusalOfScreen(failure));
    } finally {
      isAdding.current = false;
    }
  };
  const checked = checkScreenName(input, project.tabs);
  const keptAs = "name" in checked && checked.name !== input ? checked.name : null;
  return (
    <Box
      as="form"
      pt={6}
      className={classes["form"]}
      aria-label="Add a screen"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(input);
      }}
    >
      <KeptNotice kept={kept} onContinue={setInput} />
      <TextInput
        size="sm"
        aria-label="New screen name"
        placeholder="new_screen"
        value={input}
        error={error ?? (isLimited ? reason : null)}
        readOnly={add.isPending}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        data-autofocus
        description={
          keptAs === null ? undefined : (
            <>
              Will be added as <code className={look({ tone: "ink", code: true })}>{keptAs}</code>
            </>
          )
        }
        inputWrapperOrder={["label", "input", "description", "error"]}
        rightSection={
          <Tooltip label="Add screen">
            <ActionIcon type="submit" size={26} aria-label="Add screen" loading={add.isPending}>
              <IconPlus size={15} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        }
        onChange={(event) => {
          setError(null);
          setLimited(false);
          setSuggestion(undefined);
          setInput(event.currentTarget.value);
        }}
      />
      {suggestion !== undefined && (
        <Button
          size="xs"
          className={look({ mt: 6 }, classes["suggestion"])}
          loading={add.isPending}
          onClick={() => {
            setInput(suggestion);
            setError(null);
            void submit(suggestion);
          }}
        >
          Use {suggestion}
        </Button>
      )}
    </Box>
  );
}
