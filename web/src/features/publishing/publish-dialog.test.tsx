import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { heard } from "@/testing/browser";
import { aDiff, aKey, aProject, aScreen, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";

const ID = "prj_k7m2xq4tz8ha3b5c";
const DIFF = `/api/projects/${ID}/diff`;
const PUBLISH = `/api/translations/${ID}/publish`;
const at = "2026-11-20T10:00:00Z";

const change = (key: string, old: string, next: string) => ({
  key,
  change: old === "" ? ("added" as const) : next === "" ? ("removed" as const) : ("changed" as const),
  by: "Mara Lindt",
  at,
  values: [{ language: "de", old, new: next }],
});
const diff = aDiff({
  total: 3,
  screens: [
    {
      screen: "home",
      change: "changed",
      total: 2,
      keys: [change("cta_book", "Jetzt buchen", "Jetzt reservieren"), change("farewell", "", "Bis bald")],
    },
  ],
  colors: [{ key: "primary", change: "changed", by: "Mara Lindt", at, old: "#0b5d5e", new: "#c8371c" }],
});

function openProject(project: Partial<Project> = {}) {
  server.use(
    answer(
      "get",
      `/api/projects/${ID}`,
      aProject({ unpublished: { total: 3, screens: { home: 2 }, colors: 1, stores: 0 }, ...project }),
    ),
    answer("get", "/api/languages", { languages }),
    answer(
      "get",
      `/api/translations/${ID}/home`,
      aScreen([aKey("cta_book", { en: "Book now", de: "Jetzt reservieren" })]),
    ),
    answer("get", DIFF, diff),
  );
  return openSignedIn(`/projects/${ID}/home`);
}

const publishButton = () => screen.findByRole("button", { name: /^Publish Changes/ });

test("the review shows old and new with who changed it, and Enter publishes what was reviewed", async () => {
  const sent: unknown[] = [];
  const { user } = openProject();
  server.use(
    answer(
      "post",
      PUBLISH,
      { message: "Changes published successfully!", release: 2, published: true },
      {
        onCall: (body) => {
          sent.push(body);
          server.use(answer("get", `/api/projects/${ID}`, aProject({ release: 2 })));
        },
      },
    ),
  );
  const texts = heard("translationsUpdated");
  const projects = heard("projectUpdated");

  await user.click(await publishButton());
  const dialog = await screen.findByRole("dialog", { name: "Publish Changes" });
  const home = await within(dialog).findByRole("region", { name: "home" });
  expect(home).toHaveTextContent("cta_book");
  expect(home).toHaveTextContent("Mara Lindt");
  expect(within(home).getByText("buchen").tagName).toBe("MARK");
  expect(within(home).getByText("reservieren").tagName).toBe("MARK");
  expect(within(dialog).getByRole("region", { name: "Colours" })).toHaveTextContent("#0b5d5e→#c8371c");
  await waitFor(() => expect(within(dialog).getByRole("button", { name: "Publish 3 changes" })).toHaveFocus());
  await user.keyboard("{Enter}");

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ expected: "token-1" }]);
  expect(texts).toEqual([{ projectId: ID, screen: "__ALL__" }]);
  expect(projects).toEqual([{ projectId: ID }]);
  await waitFor(async () => expect(await publishButton()).toHaveAccessibleName("Publish Changes"));
});

test("when a colleague edited since, the new diff is shown and goes out next", async () => {
  const fresh = aDiff({
    token: "token-2",
    total: 1,
    screens: [
      { screen: "home", change: "changed", total: 1, keys: [change("cta_book", "Jetzt buchen", "Los geht’s")] },
    ],
  });
  const sent: unknown[] = [];
  const { user } = openProject();
  server.use(
    http.post(`*${PUBLISH}`, async ({ request }) => {
      const body = (await request.json()) as { expected: string };
      sent.push(body.expected);
      return body.expected === "token-2"
        ? HttpResponse.json({ message: "Changes published successfully!", release: 2, published: true })
        : HttpResponse.json(
            {
              message: "The draft changed since you reviewed it. Please look at what would go out now.",
              code: "stale_diff",
              diff: fresh,
            },
            { status: 409 },
          );
    }),
  );

  await user.click(await publishButton());
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));
  expect(await screen.findByText(/The draft changed since you reviewed it/)).toBeVisible();
  expect(screen.getByText("Los geht’s")).toBeVisible();
  expect(screen.queryByText("Bis bald")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Publish 1 change" }));

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual(["token-1", "token-2"]);
});

test("the review waits for an edit that is still on its way", async () => {
  const { user } = openProject();
  const order: string[] = [];
  server.use(
    answer(
      "put",
      `/api/translations/${ID}/home/cta_book`,
      aKey("cta_book", { en: "Book now", de: "Los" }, { revision: 2 }),
      {
        afterMs: 60,
        onCall: () => order.push("edit"),
      },
    ),
    http.get(`*${DIFF}`, () => {
      order.push("diff");
      return HttpResponse.json(diff);
    }),
  );

  await user.click(await screen.findByRole("gridcell", { name: /^cta_book, German/ }));
  await user.keyboard("!{Control>}{Enter}{/Control}");

  expect(await screen.findByRole("button", { name: "Publish 3 changes" })).toBeVisible();
  expect(order).toEqual(["edit", "diff"]);
});

test("a text that lost a placeholder, or did not get a new one, is pointed out and can be published", async () => {
  const { user } = openProject();
  server.use(
    answer("get", `/api/translations/${ID}/home`, {
      keys: [
        aKey("price", { en: "From {price}", de: "Ab" }),
        aKey("greeting", { en: "Hi {name}", de: "Hallo" }),
        aKey("gone", { en: "{gone}", de: "weg" }),
      ],
    }),
    answer("get", DIFF, {
      ...diff,
      screens: [
        {
          screen: "home",
          change: "changed",
          total: 3,
          keys: [
            change("price", "Ab {price}", "Ab"),
            {
              ...change("greeting", "", ""),
              change: "changed",
              values: [{ language: "en", old: "Hi", new: "Hi {name}" }],
            },
            change("gone", "weg", ""),
          ],
        },
      ],
    }),
  );

  await user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));

  expect(await dialog.findByText("Placeholder {price} is missing here.")).toBeVisible();
  expect(dialog.getByText("Placeholder {name} is missing here.")).toBeVisible();
  expect(dialog.getByText("2 texts need a check.")).toBeVisible();
  expect(dialog.getAllByText("Check")).toHaveLength(2);
  expect(dialog.getByRole("button", { name: "Publish 3 changes" })).toBeEnabled();
});

test("offline the review says that nothing was published, and can be tried again", async () => {
  const { user } = openProject();
  const button = await publishButton();
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  server.use(offline("get", DIFF));
  window.dispatchEvent(new Event("offline"));

  await user.click(button);
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  expect(await dialog.findByText("You are offline. Nothing was published.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Try again" })).toBeVisible();
  isOnline.mockRestore();
  server.use(answer("get", DIFF, diff));
  window.dispatchEvent(new Event("online"));

  expect(await dialog.findByRole("button", { name: "Publish 3 changes" })).toBeVisible();
});

test("the first publish says so", async () => {
  const { user } = openProject({ release: 0, isPublished: false });
  server.use(answer("get", DIFF, { ...diff, isFirst: true, release: 0 }));

  await user.click(await publishButton());

  expect(await screen.findByText(/This is the first publish: your apps get everything below/)).toBeVisible();
});

test("with nothing new there is nothing to publish", async () => {
  const { user } = openProject({ unpublished: { total: 0, screens: {}, colors: 0, stores: 0 } });
  server.use(answer("get", DIFF, aDiff()));

  await user.click(await publishButton());

  expect(await screen.findByText(/There is nothing new to publish/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Publish" })).not.toBeInTheDocument();
});

test("a refusal is shown in the review", async () => {
  const { user } = openProject();
  server.use(refusal("post", PUBLISH, 422, { message: 'The texts in "de" are 11.0 MB; apps can load at most 10 MB.' }));

  await user.click(await publishButton());
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));

  expect(await screen.findByText(/apps can load at most 10 MB/)).toBeVisible();
});

const starter = {
  id: "starter",
  name: "Starter Tier",
  monthlyCreditCost: 19,
  priceDisplay: "19 credits / month",
  tag: "",
  icon: "gift",
  features: [],
  limits: aProject().limits,
  support: "community",
};

test("without an active plan the button leads to the plans and says why", async () => {
  const { user } = openProject({ activeTier: "none", plan: "free", expiresAt: null });
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1, 2, 3, 6, 12], plans: [starter] }));

  await user.click(await publishButton());

  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveAccessibleName("Activate Starter Tier");
  expect(dialog).toHaveTextContent(
    "This project does not have an active plan. Please assign credits in Project Settings to publish.",
  );
  expect(screen.queryByRole("dialog", { name: "Publish Changes" })).not.toBeInTheDocument();
});

test.each([
  ["no message", answer("post", PUBLISH, {}, { status: 500 }), "Failed to publish changes."],
  ["no answer", offline("post", PUBLISH), "Error publishing changes."],
])("a publish that fails with %s says so, and a second try works", async (_, failing, text) => {
  const { user } = openProject();
  server.use(failing);
  await user.click(await publishButton());
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));
  expect(await screen.findByText(text)).toBeVisible();

  server.use(answer("post", PUBLISH, { message: "", release: 2, published: true }));
  await user.click(screen.getByRole("button", { name: "Publish 3 changes" }));

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
});

test("a viewer can't publish and is told why", async () => {
  const { user } = openProject({ role: "viewer", permissions: ["read"] });

  const button = await publishButton();
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAccessibleDescription(
    "Viewers can't publish. Ask an admin of this project for the editor role.",
  );
  await user.click(button);
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});
