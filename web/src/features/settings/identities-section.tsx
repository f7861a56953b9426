/** By which identity a person may log in, beside the password. Nothing where the server has no single sign-on. */
import { zodResolver } from "@hookform/resolvers/zod";
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { useLocation } from "react-router";
import { api, messageOf, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { invalidate } from "@/lib/query";
import { ssoFailureIn } from "@/lib/sso";
import { formatDay } from "@/lib/time";
import { z } from "@/lib/zod";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Notice } from "@/ui/notice";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Box, Row, Stack } from "@/ui/parts";
import { PasswordField } from "@/ui/password-field";
import { type Identity, identitiesQuery } from "./identities";

const schema = z.object({ password: z.string().check(z.minLength(1, "Enter your password.")) });

export function IdentitiesSection() {
  const { data } = useQuery(identitiesQuery);
  const { hash } = useLocation();
  if (data === undefined || (data.name === null && data.identities.length === 0)) return null;
  const { name, hasPassword, identities } = data;
  const failure = ssoFailureIn(hash);
  const isConnected = identities.some((identity) => identity.current);
  return (
    <Panel title="Single sign-on">
      {failure !== null && (
        <Box p={16}>
          <Notice tone="bad" takesFocus>
            {failure}
          </Notice>
        </Box>
      )}
      {hash === "#sso=connected" && isConnected && (
        <Box p={16}>
          <Notice tone="ok" takesFocus>
            {name} is connected. You can log in with it from now on.
          </Notice>
        </Box>
      )}
      {identities.map((identity) => (
        <IdentityRow
          key={identity._id}
          identity={identity}
          name={identity.current && name !== null ? name : identity.issuer}
          isOnlyWay={!hasPassword}
        />
      ))}
      {!isConnected && name !== null && <Connect name={name} />}
    </Panel>
  );
}

function IdentityRow({ identity, name, isOnlyWay }: { identity: Identity; name: string; isOnlyWay: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const disconnect = useMutation({
    mutationFn: () =>
      take(api.DELETE("/api/user/identities/{identityId}", { params: { path: { identityId: identity._id } } })),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(messageOf(error, "Failed to disconnect single sign-on.")),
    onSettled: async () => {
      setAsking(false);
      await invalidate(queryClient, "/api/user/identities");
    },
  });
  return (
    <PanelRow>
      <RowText name={`Connected to ${name}`} isStrong>
        Since {formatDay(identity.createdAt)}.
        {isOnlyWay && " To disconnect it, first set a password: log out and choose 'Forgot Password?'."}
      </RowText>
      {!isOnlyWay && (
        <Button size="xs" aria-label={`Disconnect ${name}`} onClick={() => setAsking(true)}>
          Disconnect
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        title="Disconnect single sign-on?"
        confirmText="Disconnect"
        tone="warning"
        loading={disconnect.isPending}
        onConfirm={() => disconnect.mutate()}
        onClose={() => setAsking(false)}
      >
        After that you log in with your password. Sessions that are open stay open.
      </ConfirmDialog>
    </PanelRow>
  );
}

function Connect({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: "" } });
  const { errors, isSubmitting } = form.formState;
  const connect = form.handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      window.location.assign((await take(api.POST("/api/user/identities/start", { body: { password } }))).url);
    } catch (error) {
      setFailure(showRefusal(error, ["password"], form.setError, { fallback: "Failed to connect single sign-on." }));
    }
  });
  if (!isOpen) {
    return (
      <PanelRow>
        <RowText>Log in with {name}, too.</RowText>
        <Button size="xs" onClick={() => setOpen(true)}>
          Connect {name}
        </Button>
      </PanelRow>
    );
  }
  return (
    <Stack
      as="form"
      gap={16}
      grow
      shrink
      p={16}
      aria-label={`Connect ${name}`}
      noValidate
      onSubmit={(event) => void connect(event)}
    >
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <PasswordField
        label="Current Password"
        description={`You go on at ${name}, and come back here.`}
        autoComplete="current-password"
        autoFocus
        error={errors.password?.message}
        {...form.register("password")}
      />
      <Row wrap align="center" gap={8}>
        <Button type="submit" loading={isSubmitting}>
          Continue
        </Button>
        <Button onClick={() => setOpen(false)} disabled={isSubmitting}>
          Cancel
        </Button>
      </Row>
    </Stack>
  );
}
