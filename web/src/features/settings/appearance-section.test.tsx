import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { chooseTheme } from "@/lib/theme";
import { renderPart } from "@/testing/component";
import { aUser } from "@/testing/fixtures";
import { ThemeToggle } from "@/ui/theme-toggle";
import { AppearanceSection } from "./appearance-section";

const theme = () => document.documentElement.getAttribute("data-theme");

// spec: shell-6
test("the theme can be light, dark, or that of the system again", async () => {
  const { user } = renderPart(
    <>
      <ThemeToggle />
      <AppearanceSection />
    </>,
    { at: "/settings", me: aUser() },
  );
  const section = within(screen.getByRole("region", { name: "Appearance" }));
  const choice = (name: string) => section.getByRole("radio", { name });
  expect(choice("System")).toBeChecked();

  await user.click(choice("Dark"));
  expect(choice("Dark")).toBeChecked();
  expect(localStorage.getItem("theme")).toBe("dark");
  expect(theme()).toBe("dark");

  await user.click(screen.getByRole("button", { name: "Switch to light theme" }));
  expect(choice("Light")).toBeChecked();

  act(() => chooseTheme("dark"));
  await user.click(choice("System"));
  expect(choice("System")).toBeChecked();
  expect(localStorage.getItem("theme")).toBeNull();
  // The test browser's system is light.
  expect(theme()).toBe("light");
});
