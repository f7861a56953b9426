/** /settings: a person's own account, one section per question they may come with. */
import { useEffect } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import type { User } from "@/lib/api-types";
import { useMe } from "@/lib/queries";
import { later } from "@/ui/later";
import { PageBody, PageHeader } from "@/ui/page";
import { Stack } from "@/ui/parts";
import { soon } from "@/ui/soon";
import { ErrorState, LoadingRows } from "@/ui/states";
import { ApiKeySection } from "./api-key-section";
import { AppearanceSection } from "./appearance-section";
import { CreditsSection } from "./credits-section";
import { DeleteAccountSection } from "./delete-account-section";
import { PasswordSection } from "./password-section";
import { ProfileSection } from "./profile-section";
import { SessionsSection } from "./sessions-section";

const TwoFactorSection = soon(async () => (await import("./two-factor-section")).TwoFactorSection);

/** In this chunk: a chunk of its own would split the code of the entry. */
export { ReceiptPage } from "./receipt-page";

const identities = later(async () => (await import("./identities-section")).IdentitiesSection, null);

const FAILED = "Failed to fetch user data";

export function SettingsPage() {
  const me = useMe();
  const { error } = me;
  useEffect(() => {
    if (error !== null) toast.error(messageOf(error, FAILED), { id: "settings-user" });
  }, [error]);
  return (
    <>
      <PageHeader title="Account Settings" />
      <PageBody width="narrow">
        {me.data !== undefined ? (
          <Sections user={me.data} />
        ) : me.isError ? (
          <ErrorState message={messageOf(error, FAILED)} onRetry={() => void me.refetch()} />
        ) : (
          <LoadingRows rows={6} height={64} label="Loading user data" />
        )}
      </PageBody>
    </>
  );
}

function Sections({ user }: { user: User }) {
  return (
    <Stack gap={24}>
      <ProfileSection user={user} />
      {user.billing === "credits" && <CreditsSection credits={user.credits} />}
      <ApiKeySection />
      <AppearanceSection />
      <PasswordSection email={user.email} />
      <TwoFactorSection email={user.email} />
      <identities.Part />
      <SessionsSection />
      <DeleteAccountSection user={user} />
    </Stack>
  );
}
