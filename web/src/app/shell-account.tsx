/** The foot of the sidebar: who is signed in, the balance, the theme, the way out. */
import { ActionIcon, Button, type ButtonProps, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import { useMe } from "@/lib/queries";
import { IconLogout } from "@/ui/icons";
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
    <div className={classes["account"]}>
      <div className={classes["who"]}>
        <span className={classes["name"]}>{user === undefined ? "Welcome" : `Welcome, ${user.name}`}</span>
        {user?.billing === "credits" && (
          <span className={classes["credits"]}>
            {user.credits} {user.credits === 1 ? "credit" : "credits"}
          </span>
        )}
      </div>
      <div className={classes["accountActions"]}>
        <Button
          {...quiet}
          component={Link}
          to="/logout"
          leftSection={<IconLogout size={14} stroke={1.6} aria-hidden="true" />}
          {...(onNavigate ? { onClick: onNavigate } : {})}
        >
          Logout
        </Button>
        <span className={classes["accountIcons"]}>
          <Tooltip label="Keyboard shortcuts">
            <ActionIcon aria-label="Keyboard shortcuts" aria-keyshortcuts="?" onClick={onShortcuts}>
              ?
            </ActionIcon>
          </Tooltip>
          {hasTheme && <ThemeToggle />}
        </span>
      </div>
    </div>
  );
}
