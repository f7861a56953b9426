/** Asks where the app is, and makes a link that shows the draft there. The address is remembered in this browser, per project. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { writesSettled } from "@/lib/project";
import { readStored, writeStored } from "@/lib/storage";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { KeptNotice } from "@/ui/kept-notice";
import { Notice } from "@/ui/notice";
import { Stack } from "@/ui/parts";
import classes from "./preview.module.css";
import { type PreviewLink, PreviewLinkView } from "./preview-link";

const NO_ADDRESS = "Enter the address of your app, like https://app.example.com.";

/** `app.example.com` is a web address to people; a phone on the desk's network is reached without a certificate. */
export function withScheme(typed: string): string {
  const text = typed.trim();
  if (text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return /^(localhost|\d{1,3}(\.\d{1,3}){3})(:\d+)?([/?#]|$)/i.test(text) ? `http://${text}` : `https://${text}`;
}

export function PreviewForm({ project }: { project: Project }) {
  const { projectId } = project;
  const place = `preview app:${projectId}`;
  const [remembered, setRemembered] = useState(() => readStored(place) ?? "");
  const [address, setAddress] = useState(remembered);
  const [error, setError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const [link, setLink] = useState<PreviewLink | null>(null);
  const isNew = (typed: unknown): typed is string => typeof typed === "string" && typed !== "" && typed !== remembered;
  const kept = useKeptText<string>({ form: "preview", project: projectId }, (stored) =>
    isNew(stored) ? stored : null,
  );
  useKeepTyped(kept, isNew(address) ? address : null);
  // Two Enters may arrive before the first has drawn anything.
  const isBusy = useRef(false);

  const make = async () => {
    const appUrl = withScheme(address);
    if (!URL.canParse(appUrl)) return setError(NO_ADDRESS);
    if (isBusy.current) return;
    isBusy.current = true;
    setError(null);
    setFailure(null);
    setMaking(true);
    try {
      // What is being typed belongs to the draft that the app will show.
      await writesSettled(projectId);
      const made = await take(
        api.POST("/api/projects/{projectId}/preview-links", { params: { path: { projectId } }, body: { appUrl } }),
      );
      writeStored(place, appUrl);
      setRemembered(appUrl);
      setAddress(appUrl);
      setLink(made);
    } catch (refused) {
      const named = refused instanceof ApiError ? refused.fields["appUrl"] : undefined;
      if (named === undefined) setFailure(messageOf(refused, "No link could be made.", "The server can't be reached."));
      else setError(named);
    } finally {
      isBusy.current = false;
      setMaking(false);
    }
  };
  const change = (typed: string) => {
    setAddress(typed);
    setError(null);
    setLink(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void make();
  };
  return (
    <Stack gap={16} tone="ink-2">
      <p>
        Open your app with all unpublished changes, and watch each edit arrive there within a second. Your users see
        nothing of it.
      </p>
      <Stack as="form" gap={12} className={classes["form"]} noValidate onSubmit={submit}>
        <KeptNotice kept={kept} onContinue={change} />
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          label="Your app's address"
          description="A page that uses the Livery SDK. Remembered in this browser."
          type="url"
          inputMode="url"
          placeholder="https://app.example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          value={address}
          error={error}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Button type="submit" variant={link === null ? "filled" : "default"} loading={isMaking}>
          {link === null ? "Make a link" : "Make a new link"}
        </Button>
      </Stack>
      {link !== null && <PreviewLinkView link={link} />}
    </Stack>
  );
}
