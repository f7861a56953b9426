import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { chooseTheme, useTheme } from "@/lib/theme";

export function ThemeToggle() {
  const next = useTheme() === "dark" ? "light" : "dark";
  const label = `Switch to ${next} theme`;
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={() => chooseTheme(next)}>
        {next === "light" ? (
          <IconSun size={16} stroke={1.6} aria-hidden="true" />
        ) : (
          <IconMoon size={16} stroke={1.6} aria-hidden="true" />
        )}
      </ActionIcon>
    </Tooltip>
  );
}
