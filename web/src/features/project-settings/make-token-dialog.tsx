/** Makes a project token, and shows it: the only time that anybody sees it. */
import { Button, Checkbox, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ApiError, api, failureOf, take } from "@/lib/api";
import { TOKEN_NAME_CHARACTERS } from "@/lib/limits.gen";
import { invalidate } from "@/lib/query";
import { useAttempt } from "@/lib/use-attempt";
import { copyText } from "@/ui/copy-button";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { allowanceOf, type Scope, scopes } from "./scopes";

const ENDS = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
  { value: "", label: "Never" },
];

export function MakeTokenDialog({
  projectId,
  opened,
  onClose,
}: {
  projectId: string;
  opened: boolean;
  onClose: () => void;
}) {
  const [made, setMade] = useState<string | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made === null ? "Make a token" : "Your new token"}
      size="sm"
      // The token would be lost by a wrong key.
      closeOnEscape={made === null}
      closeOnClickOutside={made === null}
      withCloseButton={made === null}
    >
      {made === null ? (
        <MakeToken projectId={projectId} onMade={setMade} onClose={close} />
      ) : (
        <Made token={made} onClose={close} />
      )}
    </Modal>
  );
}

function MakeToken({
  projectId,
  onMade,
  onClose,
}: {
  projectId: string;
  onMade: (token: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(["read"]));
  const [days, setDays] = useState("90");
  const [isTried, setTried] = useState(false);
  const attempt = useAttempt();
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/projects/{projectId}/tokens", {
          params: { path: { projectId } },
          body: {
            name: name.trim(),
            scopes: scopes.filter((scope) => chosen.has(scope)),
            days: days === "" ? null : Number(days),
          },
        }),
      ),
    onSuccess: ({ token }) => onMade(token),
    onError: attempt.failed,
    onSettled: () => invalidate(client, "/api/projects/{projectId}/tokens", { path: { projectId } }),
  });
  const refused = make.error instanceof ApiError ? make.error.fields : {};
  const problems = {
    name:
      isTried && name.trim() === "" ? "Give the token a name, such as the place where it is used." : refused["name"],
    scopes: isTried && chosen.size === 0 ? "Choose at least one scope." : refused["scopes"],
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== "" && chosen.size > 0 && attempt.begin()) make.mutate();
  };
  return (
    <Stack as="form" gap={16} noValidate onSubmit={submit}>
      {make.isError && !refused["name"] && !refused["scopes"] && (
        <Notice tone="bad">{failureOf(make.error, "Failed to make the token.")}</Notice>
      )}
      <TextInput
        label="Name"
        description="Where it is used, so that you know what stops working when you end it."
        placeholder="GitHub Actions"
        autoComplete="off"
        data-autofocus
        maxLength={TOKEN_NAME_CHARACTERS}
        value={name}
        error={problems.name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          make.reset();
        }}
      />
      <Stack as="fieldset" gap={10} p={0} m={0} border="none">
        <Text as="legend" p={0} mb={6} size="s" weight={500}>
          What it may do
        </Text>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={allowanceOf[scope].label}
            description={allowanceOf[scope].meaning}
            checked={chosen.has(scope)}
            onChange={(event) => {
              const next = new Set(chosen);
              if (event.currentTarget.checked) next.add(scope);
              else next.delete(scope);
              setChosen(next);
              make.reset();
            }}
          />
        ))}
        {problems.scopes && (
          <Text size="note" tone="bad" role="alert">
            {problems.scopes}
          </Text>
        )}
        <Text size="s" tone="ink-3">
          No token manages people, plans, keys or other tokens.
        </Text>
      </Stack>
      <NativeSelect
        label="Ends"
        data={ENDS}
        value={days}
        {...(days === "" && {
          description: "A token without an end works until somebody ends it. Prefer an end, and make a new token then.",
        })}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Row wrap justify="end" gap={8}>
        <Button onClick={onClose} disabled={make.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={make.isPending}>
          Make the token
        </Button>
      </Row>
    </Stack>
  );
}

function Made({ token, onClose }: { token: string; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyText(token, "Token copied!")) setCopied(true);
  };
  return (
    <Stack gap={16}>
      <Notice tone="warn" isUrgent>
        This token is shown only now. Copy it and keep it where your program reads its secrets.
      </Notice>
      <code className={look({ px: 10, py: 8, fill: "sunken", border: "line", radius: "s", breaks: true, mono: true })}>
        {token}
      </code>
      <Row wrap justify="end" gap={8}>
        <Button variant={isCopied ? "default" : "filled"} data-autofocus onClick={() => void copy()}>
          Copy the token
        </Button>
        <Button variant={isCopied ? "filled" : "default"} onClick={onClose}>
          Done
        </Button>
      </Row>
    </Stack>
  );
}
