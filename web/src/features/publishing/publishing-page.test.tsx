import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { heard } from "@/testing/browser";
import { aKey, aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, server } from "@/testing/server";

function openProject(project: Partial<Project> = {}) {
  server.use(
    answer(
      "get",
      `/api/projects/${PROJECT_ID}`,
      aProject({ unpublished: { total: 3, screens: { home: 2 }, colors: 1, stores: 0 }, ...project }),
    ),
    answer("get", "/api/languages", { languages }),
    answer(
      "get",
      `/api/translations/${PROJECT_ID}/home`,
      aScreen([aKey("cta_book", { en: "Book now", de: "Jetzt reservieren" })]),
    ),
    answer("get", DIFF, diff),
  );
  return openSignedIn(`/projects/${PROJECT_ID}/home`);
}

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

// spec: event-5, publish-2, publish-7, publish-8
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
          server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ release: 2 })));
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
  expect(within(dialog).getByRole("region", { name: "Colours" })).toHaveTextContent("#0b5d5eSea→#c8371cVermilion");
  await waitFor(() => expect(within(dialog).getByRole("button", { name: "Publish 3 changes" })).toHaveFocus());
  await user.keyboard("{Enter}");

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ expected: "token-1" }]);
  expect(texts).toEqual([{ projectId: PROJECT_ID, screen: "__ALL__" }]);
  expect(projects).toEqual([{ projectId: PROJECT_ID }]);
  await waitFor(async () => expect(await publishButton()).toHaveAccessibleName("Publish Changes"));
});

test("the review waits for an edit that is being saved", async () => {
  const { user } = openProject();
  const order: string[] = [];
  server.use(
    answer(
      "put",
      `/api/translations/${PROJECT_ID}/home/cta_book`,
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

// spec: publish-1
test("without an active plan the button leads to the plans and shows why", async () => {
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
