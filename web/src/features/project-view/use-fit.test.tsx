/** What the project's header shortens, and when. The real widths are measured in tests/e2e/header.spec.ts. */
import { act, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { expect, test, vi } from "vitest";
import { STEPS, useFit } from "./use-fit";

/** A header whose title is `px` wide, has `room`, and gets 40 px more from each shortened part. */
function Header({ px, room, title = "home" }: { px: number; room: number; title?: string }) {
  const ref = useRef<HTMLElement>(null);
  const isTight = useFit(ref, title);
  const widths = (span: HTMLSpanElement | null) => {
    if (span === null) return;
    const shortened = () => (ref.current?.dataset["tight"] ?? "").split(" ").filter((word) => word !== "").length;
    span.getBoundingClientRect = () => new DOMRect(0, 0, Math.min(px, room + 40 * shortened()), 20);
    vi.spyOn(Range.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, px, 20));
  };
  return (
    <header ref={ref} data-testid="header">
      <span ref={widths} data-title="section">
        {title}
      </span>
      <p>{isTight("preview") ? "preview in the menu" : "preview in the header"}</p>
    </header>
  );
}

const tight = () => screen.getByTestId("header").dataset["tight"];

test("a title that has room shortens nothing", () => {
  render(<Header px={100} room={100} />);

  expect(tight()).toBe("");
  expect(screen.getByText("preview in the header")).toBeVisible();
});

test("parts are shortened in their order, as few as the title needs", () => {
  render(<Header px={100} room={30} />);

  expect(tight()).toBe("search schedule");
});

test("all parts are shortened where even that is not enough", () => {
  render(<Header px={250} room={-500} />);

  expect(tight()).toBe(STEPS.join(" "));
  expect(screen.getByText("preview in the menu")).toBeVisible();
});

test("a very long title does not shorten parts for all of its length", () => {
  render(<Header px={2000} room={270} />);

  expect(tight()).toBe("");
});

test("a new title and a new part fit the header again", async () => {
  const { rerender } = render(<Header px={100} room={100} />);
  rerender(<Header px={200} room={100} title="a_longer_screen" />);
  expect(tight()).toBe("search schedule job");

  rerender(<Header px={200} room={150} title="a_longer_screen" />);
  await act(async () => void screen.getByTestId("header").append("a chip"));

  expect(tight()).toBe("search schedule");
});
