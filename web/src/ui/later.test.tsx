import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { later } from "./later";
import { UiProvider } from "./ui-provider";

const Form = ({ name }: { name: string }) => <p>A form for {name}</p>;

function page(form: ReturnType<typeof later<{ name: string }>>) {
  function Page() {
    form.useFetched();
    const [isOpen, setOpen] = useState(false);
    return isOpen ? (
      <form.Part name="Noor" />
    ) : (
      <button type="button" onClick={() => setOpen(true)} aria-label="Open" />
    );
  }
  return render(
    <UiProvider env="test">
      <Page />
    </UiProvider>,
  );
}

test("what was fetched is there at once", async () => {
  let loads = 0;
  page(
    later(async () => {
      loads += 1;
      return Form;
    }, "Loading"),
  );
  await userEvent.click(screen.getByRole("button", { name: "Open" }));

  expect(screen.getByText("A form for Noor")).toBeVisible();
  expect(loads).toBe(1);
});

test("who is faster sees the fallback first", async () => {
  let arrive: (form: typeof Form) => void = () => {};
  const code = new Promise<typeof Form>((resolve) => {
    arrive = resolve;
  });
  page(later(() => code, "Loading"));
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(screen.getByText("Loading")).toBeVisible();

  arrive(Form);

  expect(await screen.findByText("A form for Noor")).toBeVisible();
});

test("what could not be fetched says so, and can be tried again", async () => {
  let isOnline = false;
  page(later(async () => (isOnline ? Form : Promise.reject(new Error("offline"))), "Loading"));
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(await screen.findByText("This could not be loaded.")).toBeVisible();

  isOnline = true;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("A form for Noor")).toBeVisible();
});
