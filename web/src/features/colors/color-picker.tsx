/** A swatch that opens a picker. What is picked goes to the hex field beside it at once, and what is written there comes here. */
import { Popover, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { HexColorPicker } from "react-colorful";
import { look } from "@/ui/look";
import { Box } from "@/ui/parts";
import classes from "./colors-page.module.css";

export function ColorPicker({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <UnstyledButton
          className={look(
            { h: 34, fill: "surface", border: "strong", radius: "s", p: 4, w: 34, smallH: 40 },
            classes["swatch"],
          )}
          aria-label="Choose the colour"
          onClick={() => setOpen(!isOpen)}
        >
          <Box as="i" layout="block" style={{ background: value }} aria-hidden="true" />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown
        className={classes["picker"]}
        onKeyDown={(event) => {
          // The form around the picker does not hear Escape. Enter goes on with the picked colour.
          if (event.key !== "Escape" && event.key !== "Enter") return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(false);
        }}
      >
        <HexColorPicker color={value} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}
