/** The foot of the sidebar: who is signed in, the balance, the theme, the way out. */
import { ActionIcon, Button, type ButtonProps, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import { BASE } from "@/lib/base";
import { useMe } from "@/lib/queries";
import { IconBook, IconLogout } from "@/ui/icons";
import { Box, Row, Stack, Text } from "@/ui/parts";
import { ThemeToggle } from "@/ui/theme-toggle";
import classes from "./shell.module.css";

const quiet: ButtonProps = { variant: "subtle", size: "xs" };

/** `hasTheme`: whether it shows the button that changes the theme. */
export function ShellAccount({
  onNavigate,
  onShortcuts,
  hasTheme = true,
}: {
  onNavigate?: () => void;
  onShortcuts: () => void;
  hasTheme?: boolean;
}) {
  const { data: user } = useMe();
  return (
    <Box px={10} size="s">
      <Stack shrink>
        <Text as="span" tone="ink-2" truncate>
          {user === undefined ? "Welcome" : `Welcome, ${user.name}`}
        </Text>
        {user?.billing === "credits" && (
          <Text as="span" tone="ink-3" num>
            {user.credits} {user.credits === 1 ? "credit" : "credits"}
          </Text>
        )}
      </Stack>
      <Row align="center" justify="between" className={classes["accountActions"]}>
        <Button
          {...quiet}
          component={Link}
          to="/logout"
          leftSection={<IconLogout size={14} stroke={1.6} aria-hidden="true" />}
          {...(onNavigate ? { onClick: onNavigate } : {})}
        >
          Logout
        </Button>
        <Row as="span" className={classes["accountIcons"]}>
          <Tooltip label="Keyboard shortcuts">
            <ActionIcon aria-label="Keyboard shortcuts" aria-keyshortcuts="?" onClick={onShortcuts}>
              ?
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Documentation">
            <ActionIcon component="a" href={`${BASE}/docs/`} target="_blank" rel="noopener" aria-label="Documentation">
              <IconBook size={16} stroke={1.6} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
          {hasTheme && <ThemeToggle />}
        </Row>
      </Row>
    </Box>
  );
}
