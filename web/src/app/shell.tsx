/** The frame around every page for members: sidebar on large screens, a bar with a menu on small screens. */
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { Link, Navigate, Outlet, ScrollRestoration, useNavigation } from "react-router";
import { isAlone, useShortcut } from "@/lib/keyboard";
import { usePurchaseWatch } from "@/lib/purchases";
import { sessionToken } from "@/lib/session";
import { useDelayed } from "@/lib/use-delayed";
import { useDocumentTitle } from "@/lib/use-document-title";
import { LARGE } from "@/ui/breakpoints";
import { usePageFocus } from "@/ui/focus";
import { IconFolders, IconLayoutDashboard, IconSettings } from "@/ui/icons";
import { later } from "@/ui/later";
import { Logo } from "@/ui/logo";
import { look } from "@/ui/look";
import { Box, Grid, Row, Stack, Text } from "@/ui/parts";
import { MenuToggle, SidebarLink, SidebarNav, SidebarSlotProvider, SmallMenuProvider } from "@/ui/sidebar";
import { ThemeToggle } from "@/ui/theme-toggle";
import { type Section, useSection } from "./section-title";
import classes from "./shell.module.css";
import { ShellAccount } from "./shell-account";

// Small screens load its code after the page is drawn.
const shortcuts = later(async () => (await import("./shortcuts-dialog")).ShortcutsDialog, null);

const isAsked = (event: KeyboardEvent): boolean => isAlone(event, "?");

const drawer = later(async () => (await import("@/ui/menu-drawer")).MenuDrawer, null);

/** Shows the page of the address; or `children` under `title`, where the address has no page. */
export function Shell({ title, children }: { title?: string; children?: ReactNode }) {
  const ofAddress = useSection();
  const section = title === undefined ? ofAddress : { title, windowTitle: title };
  useDocumentTitle(section.windowTitle);
  usePageFocus();
  usePurchaseWatch();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  const menu = useSmallMenu();
  const isSlow = useDelayed(useNavigation().state === "loading");
  const [hasShortcuts, setHasShortcuts] = useState(false);
  const showShortcuts = useCallback(() => setHasShortcuts(true), []);
  useShortcut(isAsked, showShortcuts);

  // Another tab, or clearing the site data, may have removed the token. No page of nothing but refusals must remain.
  if (sessionToken() === null) return <Navigate to="/login" replace />;

  return (
    <SidebarSlotProvider value={isLarge ? slot : null}>
      <SmallMenuProvider value={isLarge ? null : menu}>
        <a className="skip-link" href="#content">
          Skip to content
        </a>
        <Box noPrint h={2} className={classes["progress"]} data-active={isSlow || undefined} aria-hidden="true" />
        <Grid className={classes["frame"]}>
          {isLarge ? (
            <Stack
              as="aside"
              gap={18}
              place="sticky"
              px={12}
              py={16}
              fill="sunken"
              scroll
              noPrint
              className={classes["sidebar"]}
            >
              <Link
                to="/dashboard"
                className={look({ self: "start", px: 10, radius: "s", plainLink: true })}
                aria-label="Livery, to the dashboard"
              >
                <Logo />
              </Link>
              <MainNav />
              <Stack ref={setSlot} gap={18} className={classes["slot"]} />
              <ShellAccount onShortcuts={showShortcuts} />
            </Stack>
          ) : (
            <SmallFrame section={section} menu={menu} onShortcuts={showShortcuts} />
          )}
          <main className={look({ shrink: true }, classes["main"])} id="content" tabIndex={-1}>
            {children ?? <Outlet />}
          </main>
        </Grid>
      </SmallMenuProvider>
      <shortcuts.Part opened={hasShortcuts} onClose={() => setHasShortcuts(false)} />
      <ScrollRestoration />
    </SidebarSlotProvider>
  );
}

/** The menu of a small screen, and whether the shell's bar shows its button. */
function useSmallMenu() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [hasBar, setHasBar] = useState(true);
  const replaceBar = useCallback(() => {
    setHasBar(false);
    return () => setHasBar(true);
  }, []);
  return useMemo(() => ({ isOpen, open, close, hasBar, replaceBar }), [isOpen, open, close, hasBar, replaceBar]);
}

function MainNav({ onNavigate }: { onNavigate?: () => void }) {
  const close = onNavigate ? { onClick: onNavigate } : {};
  return (
    <SidebarNav label="Main">
      <SidebarLink to="/dashboard" icon={<IconLayoutDashboard size={16} stroke={1.6} aria-hidden="true" />} {...close}>
        Dashboard
      </SidebarLink>
      <SidebarLink to="/projects" end icon={<IconFolders size={16} stroke={1.6} aria-hidden="true" />} {...close}>
        Projects
      </SidebarLink>
      <SidebarLink to="/settings" icon={<IconSettings size={16} stroke={1.6} aria-hidden="true" />} {...close}>
        Settings
      </SidebarLink>
    </SidebarNav>
  );
}

/** A bar with a menu instead of the sidebar. A page whose header has the menu's button takes the place of the bar. */
function SmallFrame({
  section,
  menu,
  onShortcuts,
}: {
  section: Section;
  menu: ReturnType<typeof useSmallMenu>;
  onShortcuts: () => void;
}) {
  const { isOpen, close, hasBar } = menu;
  return (
    <>
      {hasBar && (
        <Row
          as="section"
          align="center"
          gap={8}
          place="sticky"
          px={8}
          fill="sunken"
          lineBelow
          noPrint
          h={52}
          className={classes["bar"]}
          aria-label="Top bar"
        >
          <MenuToggle />
          <Place section={section} />
          <ThemeToggle />
        </Row>
      )}
      <drawer.Part opened={isOpen} onClose={close}>
        <Stack gap={24}>
          {!hasBar && <Place section={section} />}
          <MainNav onNavigate={close} />
          <ShellAccount
            onNavigate={close}
            onShortcuts={() => {
              close();
              onShortcuts();
            }}
            hasTheme={!hasBar}
          />
        </Stack>
      </drawer.Part>
    </>
  );
}

/** The name of the section, after the name of its project. */
function Place({ section: { title, projectName } }: { section: Section }) {
  return (
    <Row as="p" grow shrink weight={600} className={classes["barTitle"]}>
      {projectName !== undefined && (
        <>
          <Text as="span" clip weight={500} tone="ink-3" ellipsis className={classes["barProject"]} title={projectName}>
            {projectName}
          </Text>
          <Text as="span" weight={500} tone="ink-3">
            {" "}
            /{" "}
          </Text>
        </>
      )}
      <Text as="span" rigid clip ellipsis className={classes["barSection"]}>
        {title}
      </Text>
    </Row>
  );
}
