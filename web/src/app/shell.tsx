/** The frame around every page for members: sidebar on large screens, a bar with a menu on small ones. */
import { ActionIcon, Drawer } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { Link, Navigate, Outlet, ScrollRestoration, useNavigation } from "react-router";
import { usePurchaseWatch } from "@/lib/purchases";
import { sessionToken } from "@/lib/session";
import { useDelayed } from "@/lib/use-delayed";
import { useDocumentTitle } from "@/lib/use-document-title";
import { IconFolders, IconLayoutDashboard, IconMenu2, IconSettings } from "@/ui/icons";
import { Logo } from "@/ui/logo";
import { SidebarLink, SidebarNav, SidebarSlotProvider } from "@/ui/sidebar";
import { ThemeToggle } from "@/ui/theme-toggle";
import { useSection } from "./section-title";
import classes from "./shell.module.css";
import { ShellAccount } from "./shell-account";
import { usePageFocus } from "./use-page-focus";

export function Shell() {
  const { title, projectName } = useSection();
  useDocumentTitle(title);
  usePageFocus();
  usePurchaseWatch();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const isLarge = useMediaQuery("(min-width: 901px)", true, { getInitialValueInEffect: false });
  const isSlow = useDelayed(useNavigation().state === "loading");

  // A token removed meanwhile (another tab, site data cleared) must not leave a page of nothing but refusals.
  if (sessionToken() === null) return <Navigate to="/login" replace />;

  return (
    <SidebarSlotProvider value={isLarge ? slot : null}>
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
            <ShellAccount />
          </aside>
        ) : (
          <SmallScreenBar title={title} projectName={projectName} />
        )}
        <main id="content" tabIndex={-1} className={classes["main"]}>
          <Outlet />
        </main>
      </div>
      <ScrollRestoration />
    </SidebarSlotProvider>
  );
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

function SmallScreenBar({ title, projectName }: { title: string; projectName: string | undefined }) {
  const [opened, menu] = useDisclosure(false);
  return (
    <section className={classes["bar"]} aria-label="Top bar">
      <ActionIcon size={40} aria-label="Menu" aria-expanded={opened} onClick={menu.open}>
        <IconMenu2 size={20} aria-hidden="true" />
      </ActionIcon>
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
      <ThemeToggle />
      <Drawer
        opened={opened}
        onClose={menu.close}
        size={288}
        padding={16}
        title={<Logo />}
        closeButtonProps={{ "aria-label": "Close menu" }}
        transitionProps={{ duration: 150 }}
      >
        <div className={classes["menu"]}>
          <MainNav onNavigate={menu.close} />
          <ShellAccount onNavigate={menu.close} />
        </div>
      </Drawer>
    </section>
  );
}
