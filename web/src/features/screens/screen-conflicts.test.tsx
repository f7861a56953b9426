/** Edits of the same text, key or screen by two people: nothing that a person typed is lost. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { hurry } from "@/testing/clock";
import { aKey, aProject, aScreen, PROJECT_ID } from "@/testing/fixtures";
import { openScreen } from "@/testing/screen-editor";
import { cell, german, help, saved, stateOf, title } from "@/testing/screen-keys";
import { KEYS } from "@/testing/screen-part";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

test("a stale revision is sent again by itself if nobody else changed the edited language", async () => {
  const current = aKey("cta_book", { en: "Book it now", de: "Buchen" }, { revision: 5 });
  const revisions: unknown[] = [];
  server.use(
    http.put(`*${KEYS}/cta_book`, async ({ request }) => {
      const body = (await request.json()) as { revision: number };
      revisions.push(body.revision);
      return body.revision === 5
        ? HttpResponse.json({ ...current, values: { en: "Book it now", de: "Los" }, revision: 6 })
        : HttpResponse.json({ message: "Somebody changed it.", code: "stale_revision", current }, { status: 409 });
    }),
  );
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.clear(screen.getByRole("textbox", { name: "cta_book in German" }));
  await user.keyboard("Los{Enter}");

  expect(await stateOf("cta_book").findByText("Saved")).toBeVisible();
  expect(revisions).toEqual([1, 5]);
  expect(cell("cta_book, English: Book it now")).toBeInTheDocument();
});

// spec: text-21
test.each([
  ["Keep mine", "Los", 1],
  ["Use theirs", "Reservieren", 0],
])(
  "two versions of a text, with the name of the other person: '%s' decides which text stays",
  async (choice, kept, resent) => {
    const current = aKey("cta_book", { en: "Book now", de: "Reservieren" }, { revision: 5 });
    const accepted: unknown[] = [];
    server.use(
      http.put(`*${KEYS}/cta_book`, async ({ request }) => {
        const body = (await request.json()) as { revision: number; values: Record<string, string> };
        if (body.revision !== 5) {
          return HttpResponse.json(
            { message: "Somebody changed it.", code: "stale_revision", current, by: "Noor Aziz" },
            { status: 409 },
          );
        }
        accepted.push(body.values);
        return HttpResponse.json(german("Los", 6));
      }),
    );
    const { user } = await openScreen();

    await user.click(cell("cta_book, German: Buchen"));
    await user.clear(screen.getByRole("textbox", { name: "cta_book in German" }));
    await user.keyboard("Los{Enter}");
    const versions = await screen.findByRole("group", { name: "Two versions of cta_book" });
    expect(versions).toHaveTextContent("Noor Aziz changed this text while you were editing it.");
    expect(versions).toHaveTextContent("YoursLos");
    expect(versions).toHaveTextContent("TheirsReservieren");
    expect(accepted).toEqual([]);
    await user.click(within(versions).getByRole("button", { name: choice }));

    await waitFor(() => expect(cell(`cta_book, German: ${kept}`)).toHaveFocus());
    await waitFor(() => expect(accepted).toHaveLength(resent));
  },
);

// spec: text-20
test("an edit that an earlier visit could not send is sent by the next visit", async () => {
  server.use(offline("put", `${KEYS}/cta_book`));
  const first = await openScreen();
  await first.user.click(cell("cta_book, German: Buchen"));
  await first.user.type(screen.getByRole("textbox", { name: "cta_book in German" }), " jetzt{Enter}");
  await screen.findByText(/not saved yet/);
  first.unmount();

  const sent: unknown[] = [];
  server.use(answer("put", `${KEYS}/cta_book`, german("Buchen jetzt", 2), { onCall: (body) => sent.push(body) }));
  await openScreen();

  await waitFor(() => expect(sent).toEqual([{ key: "cta_book", values: { de: "Buchen jetzt" }, revision: 1 }]));
});

test("a text is still shown after a colleague deleted its key, until it is discarded", async () => {
  server.use(
    refusal("put", `${KEYS}/cta_book`, 404, {
      message: 'There is no key "cta_book" in this screen.',
      code: "key_not_found",
    }),
  );
  const { user } = await openScreen();

  await user.click(cell("cta_book, German: Buchen"));
  await user.type(screen.getByRole("textbox", { name: "cta_book in German" }), "!{Enter}");
  expect(await screen.findByText(/^Somebody deleted home\.cta_book before your text was saved\./)).toBeVisible();
  expect(screen.getByText("Buchen!", { selector: "bdi" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Discard the text" }));

  expect(screen.queryByText(/Somebody deleted/)).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

test("text that is being typed survives the deletion of its key, and the key can be created again with it", async () => {
  hurry();
  const sent: unknown[] = [];
  const made = aKey("cta_book", { en: "Book now", de: "Buchen und mehr" }, { _id: "key_again" });
  server.use(answer("post", KEYS, made, { status: 201, onCall: (body) => sent.push(body) }));
  const { user, queryClient, unmount } = await openScreen();
  await user.click(cell("cta_book, German: Buchen"));
  await enter(user, screen.getByRole("textbox", { name: "cta_book in German" }), " und mehr");

  server.use(answer("get", KEYS, aScreen([title, saved, help])));
  await act(() => queryClient.invalidateQueries());
  expect(await screen.findByText("Buchen und mehr", { selector: "bdi" })).toBeVisible();
  expect(screen.getByRole("alert")).toHaveFocus();
  await user.keyboard("e");
  expect(screen.queryByRole("textbox", { name: / in German$/ })).not.toBeInTheDocument();
  unmount();
  const again = await openScreen([title, saved, help]);
  expect(await screen.findByText("Buchen und mehr", { selector: "bdi" })).toBeVisible();
  await again.user.click(screen.getByRole("button", { name: "Copy the text" }));
  expect(await navigator.clipboard.readText()).toBe("Buchen und mehr");
  await again.user.click(screen.getByRole("button", { name: "Create the key again" }));

  expect(
    await screen.findByText(/^home\.cta_book was created again with its texts in English and German/),
  ).toBeInTheDocument();
  await waitFor(() => expect(cell("cta_book, German: Buchen und mehr")).toHaveFocus());
  expect(sent).toEqual([{ key: "cta_book", values: { en: "Book now", de: "Buchen und mehr" } }]);
  expect(screen.queryByRole("button", { name: "Create the key again" })).not.toBeInTheDocument();
});

test("a deleted key without saved texts is created again with the typed text only", async () => {
  const sent: unknown[] = [];
  server.use(
    refusal("put", `${KEYS}/cta_book`, 404, { message: "There is no such key.", code: "key_not_found" }),
    answer("post", KEYS, aKey("cta_book", { de: "Los" }, { _id: "key_again" }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );
  const { user } = await openScreen([aKey("cta_book", { en: "" }), title]);
  await user.click(cell(/^cta_book, German: Missing/));
  await user.keyboard("Los{Enter}");

  await user.click(await screen.findByRole("button", { name: "Create the key again" }));

  expect(await screen.findByText("home.cta_book was created again with your German text only.")).toBeInTheDocument();
  expect(sent).toEqual([{ key: "cta_book", values: { de: "Los" } }]);
});

test("text that is being typed survives the deletion of its screen", async () => {
  const { user, queryClient } = await openScreen();
  await user.click(cell("cta_book, German: Buchen"));
  await enter(user, screen.getByRole("textbox", { name: "cta_book in German" }), " und mehr");

  const gone = { message: "There is no such screen.", code: "screen_not_found" };
  server.use(
    refusal("put", `${KEYS}/cta_book`, 404, gone),
    refusal("get", KEYS, 404, gone),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ tabs: ["general"] })),
  );
  await act(() => queryClient.refetchQueries());

  expect(await screen.findByText(/^Somebody deleted the screen home with the key cta_book/)).toBeVisible();
  expect(screen.getByText("Buchen und mehr")).toBeVisible();
  expect(screen.getByRole("button", { name: "Copy the text" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Create the key again" })).not.toBeInTheDocument();
});
