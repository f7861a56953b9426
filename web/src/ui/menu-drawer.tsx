/** The panel at the left of a small screen, with the contents of the sidebar. */
import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { focusPageIfStaysLost } from "./focus";
import { Logo } from "./logo";

export function MenuDrawer({
  opened,
  onClose,
  children,
}: {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={288}
      padding={16}
      title={<Logo />}
      closeButtonProps={{ "aria-label": "Close menu" }}
      transitionProps={{ duration: 150 }}
      // A link of the menu may lead away from the header whose button opened it.
      onExitTransitionEnd={focusPageIfStaysLost}
    >
      {children}
    </Drawer>
  );
}
