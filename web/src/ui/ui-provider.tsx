/** What every component of ui/ needs around it: the theme, and the place where toasts appear. */
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { Toaster } from "react-hot-toast";
import { useTheme } from "@/lib/theme";
import { getStyleNonce } from "./style-nonce";
import { theme } from "./theme";
import classes from "./toasts.module.css";
import { useToastsTop } from "./toasts-top";

/** `env="test"` leaves out transitions. Toast limit and durations are react-hot-toast's own: 20; 4 s, 2 s for success. */
export function UiProvider({ children, env = "default" }: { children: ReactNode; env?: "default" | "test" }) {
  return (
    <MantineProvider
      theme={theme}
      getStyleNonce={getStyleNonce}
      forceColorScheme={useTheme()}
      withCssVariables={false}
      withGlobalClasses={false}
      env={env}
    >
      {children}
      <Toasts />
    </MantineProvider>
  );
}

/** A component of its own: a toast renders nothing else again. */
function Toasts() {
  return (
    <Toaster
      position="top-right"
      gutter={8}
      containerStyle={{ top: useToastsTop() }}
      toastOptions={{
        className: classes["toast"] ?? "",
        success: { iconTheme: { primary: "var(--ok)", secondary: "var(--surface)" } },
        error: { iconTheme: { primary: "var(--bad)", secondary: "var(--surface)" } },
      }}
    />
  );
}
