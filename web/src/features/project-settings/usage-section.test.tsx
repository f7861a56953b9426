import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { useProject } from "@/lib/project";
import { inDays } from "@/testing/clock";
import { aUser, PROJECT_ID } from "@/testing/fixtures";
import { ADMIN, aUsage, EDITOR } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";
import { ProjectSettingsPage } from "./project-settings-page";
import { UsageSection } from "./usage-section";

const USAGE = `/api/projects/${PROJECT_ID}/usage`;

function Usage({ project }: { project: Project }) {
  const { openActivation } = useProject();
  return <UsageSection project={project} openActivation={() => openActivation()} />;
}

async function openUsage(usage: Parameters<typeof aUsage>[0] = {}, project: Partial<Project> = {}, me = aUser()) {
  const opened = renderSettings((shown) => <Usage project={shown} />, project, me, answer("get", USAGE, aUsage(usage)));
  const section = opened.section("Usage and plan limits");
  await section.findByText("Storage");
  return { ...opened, usage: section };
}

// spec: usage-1
test("storage, API interactions and bandwidth are shown with their limits, in words for everybody", async () => {
  const { usage } = await openUsage();

  const storage = await usage.findByRole("meter", { name: "Storage" });
  expect(storage).toHaveAttribute("aria-valuetext", "0 Bytes of 40 GB, 0%");
  const calls = usage.getByRole("meter", { name: "API interactions this month" });
  expect(calls).toHaveAttribute("aria-valuetext", "18,204 of 75,000, 24%");
  expect(calls).toHaveAttribute("aria-valuenow", "24");
  const bandwidth = usage.getByRole("meter", { name: "Bandwidth this month" });
  expect(bandwidth).toHaveAttribute("aria-valuetext", "90 MB of 15 GB, <1%");
  expect(usage.getByText(/Monthly counters start again on/)).toHaveTextContent("Dec 1, 2026, 00:00 UTC.");
});

// spec: usage-2
test.each([
  ["near", 0.9, "90%", /Near the limit\./],
  ["at", 1, "100%", /At the limit\..*up to five minutes late, and no live updates/],
  ["over", 1.2, "120%", /Over the limit\..*up to five minutes late, and no live updates/],
  ["far over", 1.6, "160%", /Over the limit\..*Apps keep the content they have/],
])("%s the limit the bar ends at 100 %%, and a text explains what happens", async (_, share, percent, words) => {
  const { usage } = await openUsage({ apiInteractions: 75_000 * share });

  const meter = usage.getByRole("meter", { name: "API interactions this month" });
  expect(meter).toHaveAttribute("aria-valuenow", String(Math.min(100, share * 100)));
  expect(meter.firstElementChild).toHaveStyle({ width: `${Math.min(100, share * 100)}%` });
  expect(usage.getByText(percent)).toBeVisible();
  expect(
    usage.getByText((__, element) => element?.tagName === "P" && words.test(element.textContent ?? "")),
  ).toBeVisible();
});

// spec: usage-4
test("a figure without a limit is shown as unlimited, and has no bar", async () => {
  const limits = {
    screens: -1,
    stores: -1,
    seats: -1,
    languages: -1,
    apiCalls: -1,
    bandwidthBytes: -1,
    storageBytes: -1,
  };
  const { usage } = await openUsage({ limitBytes: -1, apiLimit: -1, bandwidthLimit: -1 }, { limits, expiresAt: null });

  expect(usage.queryByRole("meter")).not.toBeInTheDocument();
  expect(usage.getAllByText("· Unlimited")).toHaveLength(3);
  expect(usage.getByText("Data stores").nextElementSibling).toHaveTextContent("2 · Unlimited");
  expect(usage.getByText("Languages").nextElementSibling).toHaveTextContent("2 · Unlimited");
  expect(usage.getByText("It has no end.")).toBeVisible();
});

test("counted content is shown with its limits; the general screen does not count", async () => {
  const { usage } = await openUsage({}, { tabs: ["general", "home", "checkout"], seatsTaken: 2 });

  expect(usage.getByText("Screens").nextElementSibling).toHaveTextContent("2 / 20");
  expect(usage.getByText("Languages").nextElementSibling).toHaveTextContent("2 / 3");
  expect(usage.getByText("Seats").nextElementSibling).toHaveTextContent("2 / 3");
  expect(usage.getByText("Data stores").nextElementSibling).toHaveTextContent("2 / 30");
});

// spec: usage-6
test("thirty days are drawn, summed up in words and listed day by day", async () => {
  const { usage, user } = await openUsage();

  expect(usage.getByText("912 in all")).toBeVisible();
  expect(usage.getByText("4.5 MB in all")).toBeVisible();
  await user.click(usage.getByText("Day by day"));
  const days = within(usage.getByRole("table")).getAllByRole("row");
  expect(days).toHaveLength(31);
  expect(days[1]).toHaveTextContent("Nov 20, 20269124.5 MB");
  expect(days[30]).toHaveTextContent("Oct 22, 202600 Bytes");
});

test("pointing at a day shows its number", async () => {
  const { usage, container } = await openUsage();
  await usage.findByText("912 in all");
  const chart = container.querySelector("figure svg");
  if (chart === null) throw new Error("no chart");
  chart.getBoundingClientRect = () => new DOMRect(100, 0, 300, 64);

  fireEvent.pointerMove(chart, { clientX: 105 });
  expect(usage.getByText("Oct 22, 2026: 0")).toBeVisible();
  fireEvent.pointerMove(chart, { clientX: 400 });
  expect(usage.getByText("Nov 20, 2026: 912")).toBeVisible();
  fireEvent.pointerLeave(chart);
  expect(usage.getByText("912 in all")).toBeVisible();
});

test("before an app has read the project, the page shows that", async () => {
  const { usage } = await openUsage({
    history: aUsage().history.map(({ day }) => ({ day, apiInteractions: 0, bytes: 0 })),
  });

  expect(await usage.findByText(/No app has read this project yet\./)).toBeVisible();
  expect(usage.queryByRole("table")).not.toBeInTheDocument();
});

// spec: usage-5
test.each([
  ["no message", answer("get", USAGE, {}, { status: 500 }), "Failed to fetch project usage"],
  ["a message", refusal("get", USAGE, 503, { message: "The database is away." }), "The database is away."],
  ["no network", offline("get", USAGE), "Failed to fetch project usage"],
])(
  "a failure is shown in the section and in a toast, and the rest of the page stays (%s)",
  async (_, failing, text) => {
    const { section, user } = renderSettings(<ProjectSettingsPage ConnectButton={() => null} />, {}, aUser(), failing);
    const usage = section("Usage and plan limits");

    expect(await usage.findByText(text)).toBeVisible();
    await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2));
    expect(section("General information").getByText("Aurora Travel")).toBeVisible();
    server.use(answer("get", USAGE, aUsage()));
    await user.click(usage.getByRole("button", { name: "Try again" }));
    expect(await usage.findByRole("meter", { name: "Storage" })).toBeInTheDocument();
  },
);

test("numbers that could not be refreshed stay, with a note that they may be old", async () => {
  const { usage, queryClient } = await openUsage();
  await usage.findByText("18,204");
  server.use(offline("get", USAGE));

  await queryClient.invalidateQueries();

  expect(await usage.findByText(/Failed to fetch project usage.*may be old/)).toBeVisible();
  expect(usage.getByText("18,204")).toBeVisible();
});

// spec: usage-7
test.each([
  [
    "growth",
    () => ({ activeTier: "growth", tierName: "Growth Tier", expiresAt: inDays(40) }),
    "Active",
    /^It runs until .* \(next month\)\.$/,
    "Renew or change plan",
  ],
  [
    "ending",
    () => ({ activeTier: "growth", tierName: "Growth Tier", expiresAt: inDays(3) }),
    "Ends soon",
    /\(in 3 days\)/,
    "Renew or change plan",
  ],
  [
    "free month",
    () => ({ activeTier: "free_starter_month", plan: "free", expiresAt: inDays(20) }),
    "Active",
    /It runs until/,
    "Change plan",
  ],
  [
    "trial",
    () => ({ activeTier: "trial", tierName: "Trial Plan", expiresAt: inDays(20) }),
    "Active",
    /It runs until/,
    "Change plan",
  ],
  [
    "expired",
    () => ({ activeTier: "expired", plan: "expired", tierName: "Expired Plan", expiresAt: "2026-01-05T10:00:00Z" }),
    "Expired",
    /It ended on Jan 5, 2026\. Nothing is deleted/,
    "Activate",
  ],
  [
    "none",
    () => ({ activeTier: "none", plan: "free", tierName: "No Active Plan", expiresAt: null }),
    "Not active",
    /Activate a plan to add screens/,
    "Activate",
  ],
])("the plan shows its state, and its button names what it does (%s)", async (_, project, word, text, button) => {
  const { usage, user, openActivation } = await openUsage({}, project());

  expect(usage.getByText(word)).toBeVisible();
  expect(usage.getByText(text)).toBeVisible();
  await user.click(usage.getByRole("button", { name: button }));
  expect(openActivation).toHaveBeenCalledTimes(1);
});

// spec: usage-7
test("an admin may activate a plan; an editor reads who may", async () => {
  const admin = await openUsage({}, ADMIN);
  expect(admin.usage.getByRole("button", { name: "Renew or change plan" })).toBeEnabled();
  admin.unmount();

  const { usage } = await openUsage({}, EDITOR);
  expect(usage.queryByRole("button", { name: /Renew|Change|Activate/ })).not.toBeInTheDocument();
  expect(usage.getByText(/Only admins and the owner can activate a plan\./)).toBeVisible();
});

// spec: activation-11
test("with billing off there is nothing to activate or renew", async () => {
  const { usage } = await openUsage(
    {},
    { activeTier: "pro", tierName: "Pro Tier", expiresAt: null },
    aUser({ billing: "off" }),
  );

  expect(await usage.findByText("This server sets no limits.")).toBeVisible();
  expect(usage.queryByRole("button", { name: /Renew|Change|Activate/ })).not.toBeInTheDocument();
});
