/** Where the mail about a new password leads: end the developer keys that somebody else may have. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { ApiError, api, messageOf, take } from "@/lib/api";
import { Notice } from "@/ui/notice";
import { Stack } from "@/ui/parts";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import { useLinkToken } from "./use-link-token";

const OFFLINE = "The server could not be reached. Check your connection and try again.";

export function EndKeysPage() {
  const token = useLinkToken();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ text: string; isDead: boolean } | null>(null);
  const [ended, setEnded] = useState<string | null>(null);

  const end = async () => {
    setBusy(true);
    setFailure(null);
    try {
      setEnded((await take(api.POST("/api/auth/end-keys/{token}", { params: { path: { token } } }))).message);
    } catch (error) {
      const isDead = error instanceof ApiError && error.status === 400;
      setFailure({ text: messageOf(error, OFFLINE), isDead });
    } finally {
      setBusy(false);
    }
  };

  return (
    <AuthLayout
      title="End your API keys"
      lead={
        ended !== null
          ? undefined
          : "All API keys that are older than your new password end. Apps and tools that use them are refused at once."
      }
    >
      <Stack gap={16}>
        {failure !== null && (
          <Notice tone="bad">
            {failure.text}
            {failure.isDead && " A link works once, for seven days. You can end keys in the settings, too."}
          </Notice>
        )}
        {ended !== null ? (
          <Notice tone="ok" takesFocus>
            {ended}
          </Notice>
        ) : (
          failure?.isDead !== true && (
            <Button variant="filled" color="red" size="md" fullWidth loading={isBusy} onClick={() => void end()}>
              End the API keys
            </Button>
          )
        )}
      </Stack>
      <AuthFootnote>
        <Link to="/settings">To the settings</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}
