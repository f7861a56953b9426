/** The menu of a button that is on the page already. */
import { Menu, type MenuProps } from "@mantine/core";
import { type ReactNode, type Ref, type RefObject, useImperativeHandle } from "react";

export interface MenuEntry {
  label: ReactNode;
  icon: ReactNode;
  onClick: () => void;
  color?: string;
  /** The menu stays open. */
  isToggle?: boolean;
}

export type MenuLook = Pick<MenuProps, "position" | "width" | "shadow" | "zIndex"> & { className?: string };

export function MenuList({
  id,
  button,
  entries,
  look: { className = "", ...look },
  opened,
  onChange,
}: {
  /** Of the button, which gives the menu its name. */
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  entries: MenuEntry[];
  look: MenuLook;
  opened: boolean;
  onChange: (opened: boolean) => void;
}) {
  return (
    <Menu
      {...look}
      id={id}
      opened={opened}
      onChange={onChange}
      returnFocus={false}
      // Its first entry takes the focus; the placeholder would be no entry in a list of entries.
      withInitialFocusPlaceholder={false}
      menuItemTabIndex={0}
    >
      <Menu.Target>
        <Standing button={button} />
      </Menu.Target>
      <Menu.Dropdown className={className}>
        {entries.map((entry, index) => (
          <Menu.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no other identity than its place.
            key={index}
            {...(entry.color === undefined ? {} : { color: entry.color })}
            leftSection={entry.icon}
            closeMenuOnClick={entry.isToggle !== true}
            onClick={entry.onClick}
          >
            {entry.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Hands the button to a menu that expects to draw it. */
function Standing({
  button,
  ref,
}: {
  button: RefObject<HTMLButtonElement | null>;
  ref?: Ref<HTMLButtonElement | null>;
}) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current, [button]);
  return null;
}
