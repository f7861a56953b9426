/**
 * The browser tests: the built product in the system's Chromium. Two workers, each with one server for all its files with the same settings.
 *
 * Variables of the environment: `LIVERY_TRACES=1` records a trace of each test and keeps the trace of a failed test. `LIVERY_PICTURES=1` draws the
 * pictures of the walks. `LIVERY_DURATIONS` is the file for a JSON report.
 */
import { defineConfig, type ReporterDescription } from "@playwright/test";

const durations = process.env["LIVERY_DURATIONS"];
const list: ReporterDescription = ["list"];
/** Files that have a server of their own, or are idle for long. They begin first, so that no such file is left at the end. */
const LONG = /(hostile-texts|quota|canary|translation-walk-large).*\.spec\.ts$/;
/** Files that share a server without plans: one worker, so that there is one such server. */
const WITHOUT_PLANS = /(images-colors|releases-walk|translation-walk)\.spec\.ts$/;
/**
 * Chromium loads two pages for the list below its address bar with every window, which takes as long as a page of ours. Chromium takes the last
 * list of features only, so the others are Playwright's own (`disabledFeatures` in playwright-core), without those of other systems.
 */
const DISABLED_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  // Several times what the longest walk takes here: it is for a walk that hangs, not for a slow machine.
  timeout: 360_000,
  // The walks run beside other busy steps; an assertion that holds doesn't take longer for it.
  expect: { timeout: 30_000 },
  fullyParallel: false,
  workers: 2,
  retries: 0,
  reporter: durations ? [list, ["json", { outputFile: durations }]] : [list],
  // In the order in which they begin. They have no names, so that a test is called by its file alone.
  projects: [{ testMatch: LONG }, { testMatch: WITHOUT_PLANS, workers: 1 }, { testIgnore: [LONG, WITHOUT_PLANS] }],
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
        `--disable-features=${DISABLED_FEATURES.join(",")}`,
        // A page of a test ends before optimized code pays for itself: without it the tests take a tenth less CPU.
        "--js-flags=--no-opt,--no-maglev",
      ],
    },
    viewport: { width: 1440, height: 900 },
    // Pictures of each step of a transition cost CPU; the header's test, which watches for jumps, has them.
    contextOptions: { reducedMotion: "reduce" },
    // A trace of every test takes as much time as the tests.
    trace: process.env["LIVERY_TRACES"] === "1" ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
  },
});
