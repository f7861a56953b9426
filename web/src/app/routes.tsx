/** Every address of the dashboard. Pages are loaded when they are first opened. */
import { Outlet, type RouteObject, redirect, useLocation } from "react-router";
import { decodedPath } from "@/lib/address";
import { guestsOnly, logOut, membersOnly, rememberReturn, takeReturn } from "./guards";
import { NotFound } from "./not-found";
import { loadAudit, projectRoutes } from "./project-routes";
import { RouteError } from "./route-error";

const guestRoutes: RouteObject[] = [
  {
    path: "/login",
    lazy: async () => {
      const { LoginPage } = await import("@/features/accounts/login-page");
      return { element: <LoginPage destination={takeReturn} /> };
    },
  },
  {
    path: "/register",
    lazy: async () => ({ Component: (await import("@/features/accounts/register-page")).RegisterPage }),
  },
];

const openRoutes: RouteObject[] = [
  {
    path: "/forgot-password",
    lazy: async () => ({ Component: (await import("@/features/accounts/forgot-password-page")).ForgotPasswordPage }),
  },
  {
    path: "/reset-password/:token",
    lazy: async () => ({ Component: (await import("@/features/accounts/reset-password-page")).ResetPasswordPage }),
  },
  {
    path: "/verify-email/:token",
    lazy: async () => ({ Component: (await import("@/features/accounts/verify-email-page")).VerifyEmailPage }),
  },
  {
    path: "/end-keys/:token",
    lazy: async () => ({ Component: (await import("@/features/accounts/end-keys-page")).EndKeysPage }),
  },
  {
    path: "/invite/:token",
    lazy: async () => {
      const [{ InvitePage }, { AuthLayout }] = await Promise.all([
        import("@/features/invitations/invite-page"),
        import("@/features/accounts/auth-layout"),
      ]);
      return { element: <InvitePage Frame={AuthLayout} onLeave={rememberReturn} /> };
    },
  },
  {
    path: "/terms",
    lazy: async () => ({ Component: (await import("@/features/legal/terms-page")).TermsPage }),
  },
  {
    path: "/privacy",
    lazy: async () => ({ Component: (await import("@/features/legal/privacy-page")).PrivacyPage }),
  },
  {
    path: "/sso",
    lazy: async () => {
      const { SsoPage } = await import("@/features/accounts/login-page");
      return { element: <SsoPage destination={takeReturn} onNext={rememberReturn} /> };
    },
  },
  { path: "/logout", loader: logOut, element: null },
];

const memberRoutes: RouteObject[] = [
  { path: "/", loader: () => redirect("/dashboard"), element: null },
  {
    path: "/dashboard",
    handle: { title: "Dashboard" },
    lazy: async () => ({ Component: (await import("@/features/dashboard/dashboard-page")).DashboardPage }),
  },
  {
    path: "/projects",
    handle: { title: "Projects" },
    lazy: async () => ({ Component: (await import("@/features/projects/projects-page")).ProjectsPage }),
  },
  {
    path: "/projects/create",
    handle: { title: "Create Project" },
    lazy: async () => ({ Component: (await import("@/features/projects/create-project-page")).CreateProjectPage }),
  },
  {
    path: "/settings",
    lazy: async () => ({ Component: (await import("@/features/settings/settings-page")).SettingsPage }),
  },
  {
    path: "/settings/receipts/:invoiceId",
    handle: { title: "Receipt" },
    lazy: async () => ({ Component: (await import("@/features/settings/receipt-page")).ReceiptPage }),
  },
  {
    path: "/settings/activity",
    lazy: async () => ({ Component: (await loadAudit()).AccountAuditPage }),
  },
  ...projectRoutes,
];

/** The page, or the page for lost addresses if the address can't be decoded. */
const Root = () => (decodedPath(useLocation().pathname) === null ? <NotFound /> : <Outlet />);

export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouteError />,
    // Shown while the first page's code is on its way: nothing, since it takes a moment only.
    hydrateFallbackElement: <div />,
    children: [
      { loader: guestsOnly, children: guestRoutes },
      ...openRoutes,
      {
        loader: membersOnly,
        lazy: async () => ({ Component: (await import("./shell")).Shell }),
        children: [{ errorElement: <RouteError />, children: memberRoutes }],
      },
      { path: "*", element: <NotFound /> },
    ],
  },
];
