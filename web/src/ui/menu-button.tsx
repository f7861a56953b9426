/** A button that opens a menu. The menu's code comes once the page is drawn, and its parts only when it is first opened. */
import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { type ComponentPropsWithoutRef, useId, useRef, useState } from "react";
import { focusInPlace } from "./focus";
import { later } from "./later";
import type { MenuLine, MenuLook } from "./menu-list";

const list = later(async () => (await import("./menu-list")).MenuList, null);

type ButtonProps = ActionIconProps & Omit<ComponentPropsWithoutRef<"button">, keyof ActionIconProps | "onClick">;

export function MenuButton({ entries, look, ...button }: ButtonProps & { entries: MenuLine[]; look: MenuLook }) {
  list.useFetched();
  const id = useId();
  const ref = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It stays in place once it was opened, to fade away when it is closed.
  const [wasOpened, setWasOpened] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    if (next) setWasOpened(true);
    // Before an entry acts: what it opens gives the focus back to what had it.
    else focusInPlace(ref.current);
  };
  return (
    <>
      <ActionIcon
        {...button}
        ref={ref}
        id={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        data-expanded={isOpen || undefined}
        onClick={() => change(!isOpen)}
      />
      {wasOpened && <list.Part id={id} button={ref} entries={entries} look={look} opened={isOpen} onChange={change} />}
    </>
  );
}
