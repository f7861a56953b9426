import { ActionIcon, Tooltip } from "@mantine/core";
import { chooseTheme, useTheme } from "@/lib/theme";
import { IconMoon, IconSun } from "@/ui/icons";

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
