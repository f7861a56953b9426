import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { User } from "@/lib/api-types";
import { later } from "@/ui/later";
import { Panel } from "@/ui/page";
import { Row, Text } from "@/ui/parts";
import classes from "@/ui/rows.module.css";
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
      <Row align="center" justify="between" gap={8} gapX={16} className={classes["row"]}>
        <Text shrink size="s" tone="ink-2" breaks className={`${classes["text"]} ${classes["note"]}`}>
          Takes your name, email, sessions and keys out of Livery for good. What you did in projects of others stays
          there, by 'Deleted user'.
        </Text>
        <Button size="xs" color="red" onClick={() => setOpen(true)}>
          Delete Account
        </Button>
      </Row>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Delete your account?" size="md">
        <form.Part user={user} onCancel={() => setOpen(false)} />
      </Modal>
    </Panel>
  );
}
