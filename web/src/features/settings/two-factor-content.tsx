/** What the dialogs of two-factor sign-in hold. */
import { useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { api, take } from "@/lib/api";
import { invalidate } from "@/lib/query";
import { AddPasskey } from "./add-passkey";
import { ProofForm } from "./proof-form";
import { RecoveryCodes } from "./recovery-codes";
import { RenamePasskey } from "./rename-passkey";
import type { Change } from "./second-factors";
import { SetUpApp } from "./set-up-app";

/** `codes` are shown in place of the change that made them; `onCodes` hands them over, and `onClose` closes the dialog. */
export function TwoFactorContent({
  email,
  change,
  codes,
  onCodes,
  onClose,
}: {
  email: string;
  change: Change;
  codes: string[] | null;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const done = (message: string | null, made: string[] | null = null) => {
    if (message !== null) toast.success(message);
    void invalidate(queryClient, "/api/user/second-factors");
    void invalidate(queryClient, "/api/user/sessions");
    if (made === null) onClose();
    else onCodes(made);
  };
  if (codes !== null) return <RecoveryCodes codes={codes} email={email} onDone={onClose} />;
  return <ChangeForm email={email} change={change} onCancel={onClose} onDone={done} />;
}

function ChangeForm({
  email,
  change,
  onCancel,
  onDone,
}: {
  email: string;
  change: Change;
  onCancel: () => void;
  onDone: (message: string | null, codes?: string[] | null) => void;
}) {
  const shared = { email, onCancel };
  switch (change.kind) {
    case "set-up-app":
      return <SetUpApp {...shared} onDone={onDone} />;
    case "add-passkey":
      return <AddPasskey {...shared} onDone={onDone} />;
    case "rename-passkey":
      return <RenamePasskey passkey={change.passkey} onCancel={onCancel} onDone={onDone} />;
    case "new-codes":
      return (
        <ProofForm
          {...shared}
          submit="Make new codes"
          onProof={async (body) => {
            const { recoveryCodes } = await take(api.POST("/api/user/second-factors/recovery-codes", { body }));
            onDone(null, recoveryCodes);
          }}
        >
          The codes that you have now stop working.
        </ProofForm>
      );
    case "remove-app":
      return (
        <ProofForm
          {...shared}
          submit="Remove"
          isDanger
          onProof={async (body) => {
            onDone((await take(api.DELETE("/api/user/second-factors/totp", { body }))).message);
          }}
        >
          Its codes no longer log you in. Without another second factor, your password alone is enough.
        </ProofForm>
      );
    case "remove-passkey":
      return (
        <ProofForm
          {...shared}
          submit="Remove"
          isDanger
          onProof={async (body) => {
            const path = { passkeyId: change.passkey._id };
            const call = api.DELETE("/api/user/second-factors/passkeys/{passkeyId}", { params: { path }, body });
            onDone((await take(call)).message);
          }}
        >
          “{change.passkey.name}” no longer logs you in. Delete it in your browser or password manager, too.
        </ProofForm>
      );
  }
}
