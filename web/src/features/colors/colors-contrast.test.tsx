/** The contrast of any two colours. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aColor, COLORS, openColors } from "@/testing/colors";
import { answer, server } from "@/testing/server";

// spec: color-14
test("the panel shows the contrast of any two colours, and what it is good for", async () => {
  const { user } = await openColors([
    aColor("primary", "#0b5d5e"),
    aColor("paper", "#f7f6f3"),
    aColor("grey", "#8a8a8a"),
  ]);
  const panel = within(screen.getByRole("region", { name: "Contrast" }));
  const verdicts = () =>
    within(panel.getByRole("list", { name: "What it is good for" }))
      .getAllByRole("listitem")
      .map((item) => item.textContent);

  expect(panel.getByRole("status")).toHaveTextContent("Contrast of primary on paper: 7.08:1");
  expect(verdicts()).toEqual([
    "AA normal textfrom 4.5:1Pass",
    "AA large textfrom 3:1Pass",
    "AAA normal textfrom 7:1Pass",
    "AAA large textfrom 4.5:1Pass",
  ]);
  await user.click(panel.getByRole("combobox", { name: "Text" }));
  await user.keyboard("{Control>}a{/Control}gr{ArrowDown}{Enter}");
  expect(panel.getByRole("status")).toHaveTextContent("Contrast of grey on paper: 3.19:1");
  expect(verdicts()).toEqual([
    "AA normal textfrom 4.5:1Fail",
    "AA large textfrom 3:1Pass",
    "AAA normal textfrom 7:1Fail",
    "AAA large textfrom 4.5:1Fail",
  ]);
  expect(panel.getByText("Where to next?").parentElement).toHaveStyle({ background: "#f7f6f3", color: "#8a8a8a" });
  await user.click(panel.getByRole("button", { name: "Swap text and ground" }));
  expect(panel.getByRole("status")).toHaveTextContent("Contrast of paper on grey: 3.19:1");
});

test("a single colour is compared with white, and a deleted colour is no longer a choice", async () => {
  const { user } = await openColors();
  const panel = within(screen.getByRole("region", { name: "Contrast" }));
  expect(panel.getByRole("status")).toHaveTextContent(/^Contrast of primary on White: /);

  server.use(answer("delete", `${COLORS}/primary`, { message: "Colour deleted." }));
  await user.click(screen.getByRole("button", { name: "Delete primary" }));
  await user.click(await screen.findByRole("button", { name: "Delete colour" }));

  await waitFor(() => expect(screen.queryByRole("region", { name: "Contrast" })).not.toBeInTheDocument());
});
