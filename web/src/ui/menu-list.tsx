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
  /** More about the entry, in grey at its end. */
  hint?: string;
}

/** A heading, or a line to read, between the entries. */
export interface MenuText {
  text: ReactNode;
}

export type MenuLine = MenuEntry | MenuText | "divider";

export type MenuLook = Pick<MenuProps, "position" | "width" | "shadow" | "zIndex"> & { className?: string };

export function MenuList({
  id,
  button,
  entries,
  look: { className = "", ...look },
  opened,
  onChange,
}: {
  /** The id of the button, which gives the menu its name. */
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  entries: MenuLine[];
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
        {entries.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its place.
          <Line key={index} line={line} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Line({ line }: { line: MenuLine }) {
  if (line === "divider") return <Menu.Divider />;
  if ("text" in line) return <Menu.Label>{line.text}</Menu.Label>;
  return (
    <Menu.Item
      {...(line.color === undefined ? {} : { color: line.color })}
      leftSection={line.icon}
      rightSection={line.hint === undefined ? undefined : <small>{line.hint}</small>}
      closeMenuOnClick={line.isToggle !== true}
      onClick={line.onClick}
    >
      {line.label}
    </Menu.Item>
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
