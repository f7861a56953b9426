/** The frame around every page for members: sidebar on large screens, a bar with a menu on small ones. */
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { Link, Navigate, Outlet, ScrollRestoration, useNavigation } from "react-router";
import { isAlone, useShortcut } from "@/lib/keyboard";
import { usePurchaseWatch } from "@/lib/purchases";
import { sessionToken } from "@/lib/session";
import { useDelayed } from "@/lib/use-delayed";
import { useDocumentTitle } from "@/lib/use-document-title";
import { usePageFocus } from "@/ui/focus";
import { IconFolders, IconLayoutDashboard, IconSettings } from "@/ui/icons";
import { later } from "@/ui/later";
import { Logo } from "@/ui/logo";
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
  const isLarge = useMediaQuery("(min-width: 901px)", true, { getInitialValueInEffect: false });
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
        <div className={classes["progress"]} data-active={isSlow || undefined} aria-hidden="true" />
        <div className={classes["frame"]}>
          {isLarge ? (
            <aside className={classes["sidebar"]}>
              <Link to="/dashboard" className={classes["home"]} aria-label="Livery, to the dashboard">
                <Logo />
              </Link>
              <MainNav />
              <div ref={setSlot} className={classes["slot"]} />
              <ShellAccount onShortcuts={showShortcuts} />
            </aside>
          ) : (
            <SmallFrame section={section} menu={menu} onShortcuts={showShortcuts} />
          )}
          <main id="content" tabIndex={-1} className={classes["main"]}>
            {children ?? <Outlet />}
          </main>
        </div>
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
        <section className={classes["bar"]} aria-label="Top bar">
          <MenuToggle />
          <Place section={section} />
          <ThemeToggle />
        </section>
      )}
      <drawer.Part opened={isOpen} onClose={close}>
        <div className={classes["menu"]}>
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
        </div>
      </drawer.Part>
    </>
  );
}

/** The name of the section, after the name of its project. */
function Place({ section: { title, projectName } }: { section: Section }) {
  return (
    <p className={classes["barTitle"]}>
      {projectName !== undefined && (
        <>
          <span className={classes["barProject"]} title={projectName}>
            {projectName}
          </span>
          <span className={classes["barSlash"]}> / </span>
        </>
      )}
      <span className={classes["barSection"]}>{title}</span>
    </p>
  );
}
