import { render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { DataRows } from "./data-list";
import { ALL_DRAWN } from "./parts";

const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ _id: `row_${n}` }));

test("a short list is drawn whole, as the rows of a table or as a list", () => {
  const { rerender } = render(
    <DataRows rows={rowsOf(ALL_DRAWN)} height={40}>
      {({ _id }, index) => `${index} ${_id}`}
    </DataRows>,
  );

  expect(screen.getByRole("rowgroup").children).toHaveLength(ALL_DRAWN);
  expect(screen.getByText("7 row_7")).toBeVisible();

  rerender(
    <DataRows as="ol" label="Entries" rows={rowsOf(2)} height={40}>
      {({ _id }) => _id}
    </DataRows>,
  );
  const items = within(screen.getByRole("list", { name: "Entries" })).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["row_0", "row_1"]);
  expect(items[0]).not.toHaveAttribute("aria-posinset");
});

test("of a long list the rows near the window are drawn, each with its place in the list", () => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40);
  render(
    <DataRows as="ol" label="Entries" rows={rowsOf(5_000)} height={40}>
      {({ _id }) => _id}
    </DataRows>,
  );

  const list = screen.getByRole("list", { name: "Entries" });
  expect(list).toHaveStyle({ height: "200000px" });
  const items = within(list).getAllByRole("listitem");
  expect(items.length).toBeLessThan(ALL_DRAWN);
  expect(items[3]).toHaveTextContent("row_3");
  expect(items[3]).toHaveAttribute("aria-posinset", "4");
  expect(items[3]).toHaveAttribute("aria-setsize", "-1");
});
