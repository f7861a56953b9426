/** The browser tests: the built product in the system's Chromium, each file on a server and data folder of its own. */
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  // Several times what the longest walk takes here: it is for one that hangs, not for a slow machine.
  timeout: 360_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  workers: 1,
  retries: 0,
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] || "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
  },
});
