/** The review of more changes than are drawn at once. */
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type JsonBodyType } from "msw";
import { expect, test } from "vitest";
import { long, manyKeys, openProject } from "@/testing/publish-dialog";
import { change, DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, server } from "@/testing/server";

const longer = { ...long, screens: long.screens.map((one) => ({ ...one, keys: manyKeys(90) })) };

/** Opens a review of 90 changes, whose rest is answered by `rest`. */
async function openLong(rest: (sections: string[]) => HttpResponse<JsonBodyType>) {
  const { user } = openProject();
  server.use(
    http.get(`*${DIFF}`, ({ request }) => {
      const sections = new URL(request.url).searchParams.getAll("whole");
      return sections.length === 0 ? HttpResponse.json(long) : rest(sections);
    }),
  );
  await user.click(await publishButton());
  return { user, home: within(await screen.findByRole("region", { name: "home" })) };
}

// spec: publish-16
test("the first of thousands of changes are drawn, and the others unfold", async () => {
  const many = (name: string) => ({
    screen: name,
    change: "changed" as const,
    total: 1_200,
    keys: Array.from({ length: 200 }, (_, index) => change(`${name}_${index}`, "Alt", "Neu")),
  });
  const { user } = openProject();
  server.use(answer("get", DIFF, { ...diff, total: 5_000, screens: ["home", "cart", "more"].map(many), colors: [] }));

  await user.click(await publishButton());
  const home = within(await screen.findByRole("region", { name: "home" }));

  expect(home.getByRole("button", { expanded: true })).toHaveTextContent("1,200 keys");
  expect(home.getAllByRole("listitem")).toHaveLength(40);
  expect(home.getByRole("button", { name: "Show 1,160 more" })).toBeEnabled();
  const cart = within(screen.getByRole("region", { name: "cart" }));
  expect(cart.queryByRole("listitem")).not.toBeInTheDocument();
  await user.click(cart.getByRole("button", { expanded: false }));
  expect(cart.getAllByRole("listitem")).toHaveLength(40);
  expect(screen.getByRole("button", { name: "Publish 5,000 changes" })).toBeEnabled();
});

// spec: publish-16
test("a long list is shown in full on request, and the publish names the full list", async () => {
  const asked: string[][] = [];
  const { user, home } = await openLong((sections) => {
    asked.push(sections);
    return HttpResponse.json(longer);
  });
  const sent: unknown[] = [];
  server.use(
    answer("post", PUBLISH, { message: "", release: 4, published: true }, { onCall: (body) => sent.push(body) }),
  );

  await user.click(home.getByRole("button", { name: "Show 50 more" }));

  expect(home.getByText("home_40").closest("li")).toHaveFocus();
  expect(await home.findByText("home_89")).toBeInTheDocument();
  expect(home.getAllByRole("listitem")).toHaveLength(90);
  expect(home.queryByRole("button", { name: /more$/ })).not.toBeInTheDocument();
  expect(screen.queryByText(/Of long lists/)).not.toBeInTheDocument();
  expect(asked).toEqual([["screen/home"]]);
  await user.click(screen.getByRole("button", { name: "Publish 90 changes" }));
  await waitFor(() => expect(sent).toEqual([{ expected: long.token }]));
});

test("the review stays and reports a changed draft if the rest of a long list belongs to a newer draft", async () => {
  const { user, home } = await openLong(() => HttpResponse.json({ ...longer, token: "another" }));

  await user.click(home.getByRole("button", { name: "Show 50 more" }));

  expect(await screen.findByText("The draft changed since you opened this.")).toBeVisible();
  expect(home.getAllByRole("listitem")).toHaveLength(60);
});

test("the rest of a long list can be loaded again", async () => {
  let failures = 1;
  const { user, home } = await openLong(() => (failures-- > 0 ? HttpResponse.error() : HttpResponse.json(longer)));

  await user.click(home.getByRole("button", { name: "Show 50 more" }));
  expect(await home.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  await user.click(home.getByRole("button", { name: "Show 30 more" }));

  expect(await home.findByText("home_89")).toBeInTheDocument();
  expect(home.getByText("home_60").closest("li")).toHaveFocus();
  expect(home.queryByRole("alert")).not.toBeInTheDocument();
});
