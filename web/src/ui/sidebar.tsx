/** Parts of the sidebar, and the slot through which the open project adds its own section below the main navigation. */
import { ActionIcon } from "@mantine/core";
import { createContext, type ReactNode, useContext, useLayoutEffect } from "react";
import { createPortal } from "react-dom";
import { NavLink } from "react-router";
import { IconMenu2 } from "./icons";
import { look } from "./look";
import { Box, Row, Stack, Text } from "./parts";
import classes from "./sidebar.module.css";

const SlotContext = createContext<HTMLElement | null>(null);

/** Given by the shell: the element that sections are put into; null without a sidebar (small screens). */
export const SidebarSlotProvider = SlotContext.Provider;

/** Shows its children in the shell's sidebar (large screens only; a page offers its own picker on small screens). */
export function SidebarSection({ children }: { children: ReactNode }) {
  const slot = useContext(SlotContext);
  return slot === null ? null : createPortal(children, slot);
}

/** What the shell gives a page on a small screen, where the sidebar is a menu. */
interface SmallMenu {
  isOpen: boolean;
  open: () => void;
  /** Called by a page whose own header has the menu's button. The shell hides its bar until the returned function is called. */
  replaceBar: () => () => void;
}

const MenuContext = createContext<SmallMenu | null>(null);
export const SmallMenuProvider = MenuContext.Provider;

/** The button that opens the menu; nothing on a large screen. */
export function MenuToggle() {
  const menu = useContext(MenuContext);
  if (menu === null) return null;
  return (
    <ActionIcon size={40} aria-label="Menu" aria-expanded={menu.isOpen} onClick={menu.open}>
      <IconMenu2 size={20} aria-hidden="true" />
    </ActionIcon>
  );
}

/** The same in the header of a page. The header takes the place of the shell's bar. */
export function HeaderMenuToggle() {
  const replaceBar = useContext(MenuContext)?.replaceBar;
  useLayoutEffect(() => replaceBar?.(), [replaceBar]);
  return <MenuToggle />;
}

export function SidebarNav({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack as="nav" gap={1} aria-label={label}>
      {children}
    </Stack>
  );
}

/** A 32 px line; the line of the present page carries the stripes. A dot with the name `dotLabel` marks unpublished edits. */
export function SidebarLink({
  to,
  children,
  icon,
  end = false,
  dotLabel,
  actions,
  onClick,
}: {
  to: string;
  children: ReactNode;
  icon?: ReactNode;
  end?: boolean;
  dotLabel?: string;
  /** Small buttons that appear on hover and focus. */
  actions?: ReactNode;
  onClick?: () => void;
}) {
  return (
    <Box place="relative" reveals>
      <NavLink
        className={look(
          { layout: "row", align: "center", gap: 10, px: 10, h: 32, radius: "s", tone: "ink-2" },
          classes["link"],
        )}
        to={to}
        end={end}
        {...(onClick ? { onClick } : {})}
      >
        {icon}
        <Text as="span" truncate>
          {children}
        </Text>
        {dotLabel !== undefined && (
          <i className={look({ ms: "auto", dot: true })} role="img" aria-label={dotLabel} title={dotLabel} />
        )}
      </NavLink>
      {actions !== undefined && (
        <Row align="center" place="absolute" fill="sunken" radius="s" reveal className={classes["rowActions"]}>
          {actions}
        </Row>
      )}
    </Box>
  );
}

export function SidebarHeading({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <Row as="h2" justify="between" gap={8} px={10} pb={8} tone="ink-3" className={classes["heading"]}>
      <span>{children}</span>
      {aside !== undefined && <span className="num">{aside}</span>}
    </Row>
  );
}
