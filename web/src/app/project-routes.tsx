/** The addresses of one project, inside the shell. Its frame is put together here from the features that it shows. */
import { lazy } from "react";
import { type RouteObject, replace } from "react-router";
import { RouteError } from "./route-error";

const EnglishOnly = lazy(async () => ({ default: (await import("@/features/screens/english-only")).EnglishOnly }));

async function loadFrame() {
  const [view, screens, publishing, connect, billing, ai] = await Promise.all([
    import("@/features/project-view/project-layout"),
    import("@/features/screens/unsaved-edits"),
    import("@/features/publishing/publish-button"),
    import("@/features/connect/connect-button"),
    import("@/features/billing/activation-dialog"),
    import("@/features/ai/job-tray"),
  ]);
  const parts = {
    PublishButton: publishing.PublishButton,
    ConnectButton: connect.ConnectButton,
    ConnectDialog: connect.ConnectDialog,
    ActivationDialog: billing.ActivationDialog,
    UnsavedNotice: screens.UnsavedNotice,
    JobTray: ai.JobTray,
    EnglishOnly,
  };
  return {
    element: (
      <screens.UnsavedEdits>
        <view.ProjectLayout parts={parts} />
      </screens.UnsavedEdits>
    ),
  };
}

async function loadScreen() {
  const [screens, cell, offer, fill] = await Promise.all([
    import("@/features/screens/translation-page"),
    import("@/features/ai/cell-tools"),
    import("@/features/ai/key-offer"),
    import("@/features/ai/fill-button"),
  ]);
  const ai = { CellTools: cell.CellTools, KeyOffer: offer.KeyOffer, FillButton: fill.FillButton };
  return { element: <screens.TranslationPage ai={ai} /> };
}

async function loadSettings() {
  const [settings, connect] = await Promise.all([
    import("@/features/project-settings/project-settings-page"),
    import("@/features/connect/connect-button"),
  ]);
  return { element: <settings.ProjectSettingsPage ConnectButton={connect.ConnectButton} /> };
}

const tabRoutes: RouteObject[] = [
  { index: true, element: null, loader: ({ params }) => replace(`/projects/${params["projectId"]}/general`) },
  {
    path: "colors",
    handle: { title: "Colours" },
    lazy: async () => ({ Component: (await import("@/features/colors/colors-page")).ColorsPage }),
  },
  { path: "settings", lazy: loadSettings },
  { path: ":tabName", lazy: loadScreen },
];

export const projectRoutes: RouteObject[] = [
  {
    path: "/projects/:projectId",
    lazy: loadFrame,
    // A tab that can't be loaded leaves the project's frame, and the texts that wait in it to be saved.
    children: [{ errorElement: <RouteError />, children: tabRoutes }],
  },
];
