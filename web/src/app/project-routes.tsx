/** The addresses of one project, inside the shell. Its frame is put together here from the features that it shows. */
import type { ReactNode } from "react";
import { type RouteObject, replace } from "react-router";
import { later } from "@/ui/later";
import { soon } from "@/ui/soon";
import { RouteError } from "./route-error";

// Not on the way to the first picture: each part comes as soon as the page is drawn.
const ActivationDialog = soon(async () => (await import("@/features/billing/activation-dialog")).ActivationDialog);
const ConnectDialog = soon(async () => (await import("@/features/connect/connect-dialog")).ConnectDialog);
const PreviewDialog = soon(async () => (await import("@/features/preview/preview-dialog")).PreviewDialog);
const Presence = soon(async () => (await import("@/features/live/presence")).Presence);
const JobTray = soon(async () => (await import("@/features/ai/job-tray")).JobTray);
const ScheduleDialog = soon(async () => (await import("@/features/publishing/schedule-dialog")).ScheduleDialog);
const EnglishOnly = soon(async () => (await import("@/features/screens/english-only")).EnglishOnly);
const KeyOffer = soon(async () => (await import("@/features/ai/key-offer")).KeyOffer);
const cellTools = later(async () => (await import("@/features/ai/cell-tools")).CellTools, null);

async function loadFrame() {
  const [view, screens, publishing, discarding, schedules, search] = await Promise.all([
    import("@/features/project-view/project-layout"),
    import("@/features/screens/unsaved-edits"),
    import("@/features/publishing/publish-button"),
    import("@/features/publishing/discarding"),
    import("@/features/publishing/schedule-button"),
    import("@/features/search/search-button"),
  ]);
  const parts = {
    PublishButton: publishing.PublishButton,
    ScheduleButton: schedules.ScheduleButton,
    ScheduleChip: schedules.ScheduleChip,
    scheduleStateOf: schedules.scheduleStateOf,
    ScheduleDialog,
    ConnectDialog,
    PreviewDialog,
    ActivationDialog,
    UnsavedNotice: screens.UnsavedNotice,
    Presence,
    EnglishOnly,
    JobTray,
    SearchButton: search.SearchButton,
  };
  return {
    element: (
      <screens.UnsavedEdits>
        <discarding.Discarding>
          <view.ProjectLayout parts={parts} />
        </discarding.Discarding>
      </screens.UnsavedEdits>
    ),
  };
}

function WithCellTools({ children }: { children: ReactNode }) {
  cellTools.useFetched();
  return children;
}

async function loadScreen() {
  const [screens, history, fill] = await Promise.all([
    import("@/features/screens/translation-page"),
    import("@/features/history/history-button"),
    import("@/features/ai/fill-button"),
  ]);
  const ai = { CellTools: cellTools.Part, KeyOffer, FillButton: fill.FillButton };
  return {
    element: (
      <WithCellTools>
        <screens.TranslationPage parts={{ HistoryButton: history.HistoryButton, ai }} />
      </WithCellTools>
    ),
  };
}

async function loadColors() {
  const [colors, history] = await Promise.all([
    import("@/features/colors/colors-page"),
    import("@/features/history/color-history-button"),
  ]);
  return { element: <colors.ColorsPage HistoryButton={history.ColorHistoryButton} /> };
}

async function loadSettings() {
  const [settings, connect] = await Promise.all([
    import("@/features/project-settings/project-settings-page"),
    import("@/features/connect/connect-button"),
  ]);
  return { element: <settings.ProjectSettingsPage ConnectButton={connect.ConnectButton} /> };
}

/** The log of a project, and that of an account. */
export async function loadAudit() {
  return await import("@/features/audit/audit-page");
}

const stores = { title: "Data Stores" };

const tabRoutes: RouteObject[] = [
  { index: true, element: null, loader: ({ params }) => replace(`/projects/${params["projectId"]}/general`) },
  { path: "colors", handle: { title: "Colours" }, lazy: loadColors },
  {
    path: "images",
    handle: { title: "Images" },
    lazy: async () => ({ Component: (await import("@/features/images/images-page")).ImagesPage }),
  },
  {
    path: "stores",
    handle: stores,
    lazy: async () => ({ Component: (await import("@/features/stores/stores-page")).StoresPage }),
  },
  {
    path: "stores/:apiIdentifier",
    handle: stores,
    lazy: async () => ({ Component: (await import("@/features/stores/store-page")).StorePage }),
  },
  {
    // With a hyphen, which no name of a screen has.
    path: "import-texts",
    handle: { title: "Import files" },
    lazy: async () => ({ Component: (await import("@/features/imports/imports-page")).ImportsPage }),
  },
  {
    path: "releases",
    handle: { title: "Releases" },
    lazy: async () => ({ Component: (await import("@/features/releases/releases-page")).ReleasesPage }),
  },
  { path: "settings", handle: { title: "Settings" }, lazy: loadSettings },
  {
    path: "settings/audit",
    handle: { title: "Audit log" },
    lazy: async () => ({ Component: (await loadAudit()).AuditPage }),
  },
  { path: ":tabName", lazy: loadScreen },
];

export const projectRoutes: RouteObject[] = [
  {
    path: "/projects/:projectId",
    lazy: loadFrame,
    // If a tab can't be loaded, the project's frame stays, with its unsaved texts.
    children: [{ errorElement: <RouteError />, children: tabRoutes }],
  },
];
