import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { User } from "@/lib/api-types";
import { later } from "@/ui/later";
import { Panel } from "@/ui/page";
import { PanelRow, RowText } from "@/ui/panel-row";
import { LoadingRows } from "@/ui/states";

const form = later(
  async () => (await import("./delete-account-form")).DeleteAccountForm,
  <LoadingRows rows={3} height={44} label="Loading the form" />,
);

export function DeleteAccountSection({ user }: { user: User }) {
  form.useFetched();
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Delete account">
      <PanelRow>
        <RowText>
          Takes your name, email, sessions and keys out of Livery for good. What you did in projects of others stays
          there, by 'Deleted user'.
        </RowText>
        <Button size="xs" color="red" onClick={() => setOpen(true)}>
          Delete Account
        </Button>
      </PanelRow>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Delete your account?" size="md">
        <form.Part user={user} onCancel={() => setOpen(false)} />
      </Modal>
    </Panel>
  );
}
