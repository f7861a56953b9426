/** Where the mail about a new password leads: end the developer keys that somebody else may have. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { ApiError, api, messageOf, take } from "@/lib/api";
import { Notice } from "@/ui/notice";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import classes from "./form.module.css";
import { useLinkToken } from "./use-link-token";

const OFFLINE = "The server could not be reached. Check your connection and try again.";

export function EndKeysPage() {
  const token = useLinkToken();
  const ending = useMutation({
    mutationFn: () => take(api.POST("/api/auth/end-keys/{token}", { params: { path: { token } } })),
  });
  const isDead = ending.error instanceof ApiError && ending.error.status === 400;
  return (
    <AuthLayout
      title="End your API keys"
      lead={
        ending.isSuccess
          ? undefined
          : "All API keys that are older than your new password end. Apps and tools that use them are refused at once."
      }
    >
      <div className={classes["form"]}>
        {ending.isError && (
          <Notice tone="bad">
            {messageOf(ending.error, OFFLINE)}
            {isDead && " A link works once, for seven days. You can end keys in the settings, too."}
          </Notice>
        )}
        {ending.isSuccess ? (
          <Notice tone="ok" takesFocus>
            {ending.data.message}
          </Notice>
        ) : (
          !isDead && (
            <Button
              variant="filled"
              color="red"
              size="md"
              fullWidth
              loading={ending.isPending}
              onClick={() => ending.mutate()}
            >
              End the API keys
            </Button>
          )
        )}
      </div>
      <AuthFootnote>
        <Link to="/settings">To the settings</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}
