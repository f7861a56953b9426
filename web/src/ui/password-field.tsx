import { TextInput, type TextInputProps, UnstyledButton } from "@mantine/core";
import { useId, useState } from "react";
import { look } from "./look";

/** A password input whose text can be shown. */
export function PasswordField(props: Omit<TextInputProps, "type" | "rightSection">) {
  const [shown, setShown] = useState(false);
  const generatedId = useId();
  const id = props.id ?? generatedId;
  return (
    <TextInput
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      id={id}
      type={shown ? "text" : "password"}
      rightSectionWidth={56}
      rightSection={
        <UnstyledButton
          className={look({
            px: 10,
            h: 32,
            radius: "xs",
            size: "s",
            weight: 500,
            tone: "ink-2",
            smallH: 40,
            darkens: true,
          })}
          aria-pressed={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          {shown ? "Hide" : "Show"}
        </UnstyledButton>
      }
    />
  );
}
