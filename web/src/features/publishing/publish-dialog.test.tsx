/** The review of the changes before a publish. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { aDiff, aScreen, NO_LOSSES, PROJECT_ID } from "@/testing/fixtures";
import { openProject } from "@/testing/publish-dialog";
import { at, change, DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, offline, refusal, server } from "@/testing/server";

test("a key with two editors shows each editor beside the language; a key with a single editor shows the editor once", async () => {
  const values = [
    { language: "en", old: "Book now", new: "Reserve", by: "Ada Lovelace" },
    { language: "de", old: "Jetzt buchen", new: "Jetzt reservieren", by: null },
  ];
  const { user } = openProject();
  const shared = { ...change("cta_book", "x", "y"), values };
  const screens = [
    { screen: "home", change: "changed" as const, total: 2, keys: [shared, change("farewell", "", "Bis bald")] },
  ];
  server.use(answer("get", DIFF, aDiff({ total: 2, screens })));

  await user.click(await publishButton());
  const dialog = await screen.findByRole("dialog", { name: "Publish Changes" });
  const [both, single] = await within(dialog).findAllByRole("listitem");

  expect(within(both as HTMLElement).getByText("Ada Lovelace")).toBeInTheDocument();
  expect(within(both as HTMLElement).getAllByText(/Mara Lindt/)).toHaveLength(2);
  expect(within(single as HTMLElement).getAllByText(/Mara Lindt/)).toHaveLength(1);
});

test("removals come first, with what apps lose, and Enter does not publish them", async () => {
  let sent = 0;
  const { user } = openProject();
  server.use(
    answer(
      "get",
      DIFF,
      aDiff({
        total: 14,
        screens: [
          {
            screen: "promo",
            place: "screen/promo",
            ref: "screen:promo",
            tie: "screen:promo",
            change: "removed",
            total: 10,
            keys: [],
          },
          {
            screen: "home",
            change: "changed",
            total: 2,
            keys: [
              { ...change("cta_book", "Book now", ""), renamedTo: "cta_reserve" },
              { ...change("cta_reserve", "", "Book now"), renamedFrom: "cta_book" },
            ],
          },
        ],
        languages: [{ language: "de", change: "removed", ref: "language:de", tie: "language:de" }],
        losses: { ...NO_LOSSES, screens: ["promo"], texts: 11, items: 1, languages: ["de"] },
      }),
    ),
    http.post(`*${PUBLISH}`, () => {
      sent += 1;
      return HttpResponse.json({ message: "Changes published successfully!", release: 2, published: true });
    }),
  );

  await user.click(await publishButton());
  const dialog = await screen.findByRole("dialog", { name: "Publish Changes" });
  const [first] = await within(dialog).findAllByRole("region", { name: /^(Removals|home)$/ });
  const removals = within(first as HTMLElement);

  expect(removals.getByRole("heading")).toHaveTextContent("Removals3 removals");
  expect(removals.getByText("Apps lose 11 texts, 1 item, and 1 language.")).toBeVisible();
  expect(removals.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
    "promoRemovedwhole screenDiscardApps lose 10 texts.",
    "German deRemovedlanguageDiscard",
    expect.stringMatching(/^cta_bookRemoved: renamed to cta_reservein homeMara Lindt, .*Book now$/),
  ]);
  expect(within(dialog).getByText("Renamed from cta_book")).toBeVisible();
  expect(within(dialog).getByText("Enter does not publish a removal.")).toBeVisible();
  expect(within(dialog).queryByText("Enter publishes")).not.toBeInTheDocument();
  await user.keyboard("{Enter}");
  expect(sent).toBe(0);
  await user.click(within(dialog).getByRole("button", { name: "Publish 14 changes" }));
  await waitFor(() => expect(sent).toBe(1));
});

test("a renamed colour is named with its former key in the review, and with its new key among the removals", async () => {
  const { user } = openProject();
  const sea = { by: "Mara Lindt", at, old: "", new: "", oldNickname: "", newNickname: "" };
  const colors = [
    { ...sea, key: "primary", change: "removed" as const, old: "#0b5d5e", renamedTo: "brand" },
    { ...sea, key: "brand", change: "added" as const, new: "#0b5d5e", renamedFrom: "primary" },
  ];
  server.use(answer("get", DIFF, aDiff({ total: 2, colors, losses: { ...NO_LOSSES, colors: 1 } })));

  await user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  const removals = within(await dialog.findByRole("region", { name: "Removals" }));

  expect(removals.getByText("Removed: renamed to brand").closest("li")).toHaveTextContent(/^primary/);
  expect(dialog.getByText("Renamed from primary").closest("li")).toHaveTextContent(/^brand/);
});

test("the Back button closes the review", async () => {
  const { user, router } = openProject();
  server.use(answer("get", `/api/translations/${PROJECT_ID}/cart`, aScreen([])));
  await publishButton();
  await act(() => router.navigate(`/projects/${PROJECT_ID}/cart`));
  await user.click(await publishButton());
  await screen.findByRole("button", { name: "Publish 3 changes" });

  await act(() => router.navigate(-1));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/home`);
});

test("the review shows an open schedule", async () => {
  const tomorrow = new Date();
  tomorrow.setDate(tomorrow.getDate() + 1);
  tomorrow.setHours(9, 0, 0, 0);
  const { user } = openProject({ scheduledFor: tomorrow.toISOString() });

  await user.click(await publishButton());

  expect(await screen.findByText(/Also scheduled for tomorrow 9:00 AM\./)).toBeVisible();
});

test("offline the review shows that nothing was published, and can be tried again", async () => {
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

test("the offline notice disappears when the connection returns; a message of the server stays", async () => {
  const { user } = openProject();
  server.use(offline("post", PUBLISH));
  await user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  const confirm = await dialog.findByRole("button", { name: "Publish 3 changes" });
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);

  await user.click(confirm);
  expect(await dialog.findByText("You are offline. Nothing was published.")).toBeVisible();
  isOnline.mockRestore();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(dialog.queryByText("You are offline. Nothing was published.")).not.toBeInTheDocument();

  server.use(answer("post", PUBLISH, {}, { status: 500 }));
  await user.click(confirm);
  expect(await dialog.findByText("Failed to publish changes.")).toBeVisible();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(dialog.getByText("Failed to publish changes.")).toBeVisible();
});

// spec: publish-14
test("the first publish is announced", async () => {
  const { user } = openProject({ release: 0, isPublished: false });
  server.use(answer("get", DIFF, { ...diff, isFirst: true, release: 0 }));

  await user.click(await publishButton());

  expect(await screen.findByText(/This is the first publish: your apps get everything below/)).toBeVisible();
});

// spec: publish-14
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

// spec: publish-2, publish-3, publish-4
test.each([
  ["no message", answer("post", PUBLISH, {}, { status: 500 }), "Failed to publish changes."],
  ["no answer", offline("post", PUBLISH), "Error publishing changes."],
])("a publish that fails with %s is reported, and a second try works", async (_, failing, text) => {
  const { user } = openProject();
  server.use(failing);
  await user.click(await publishButton());
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));
  expect(await screen.findByText(text)).toBeVisible();

  server.use(answer("post", PUBLISH, { message: "", release: 2, published: true }));
  await user.click(screen.getByRole("button", { name: "Publish 3 changes" }));

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
});

// spec: publish-15
test("a viewer can't publish and reads why", async () => {
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
