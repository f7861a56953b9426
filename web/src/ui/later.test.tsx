import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
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

test("a part that was fetched is shown at once", async () => {
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

test("a person sees the fallback until the part is fetched", async () => {
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

test("the fallback can show what the part is about", () => {
  page(
    later(
      () => new Promise<typeof Form>(() => {}),
      ({ name }) => <p>Loading the form for {name}</p>,
    ),
  );

  fireEvent.click(screen.getByRole("button", { name: "Open" }));

  expect(screen.getByText("Loading the form for Noor")).toBeVisible();
});

test("a dialog whose code could not be fetched reports it only while it is open, and opening fetches again", async () => {
  let isOnline = false;
  let failures = 0;
  const Dialog = ({ opened }: { opened: boolean }) => (opened ? <p>Delete the screen?</p> : null);
  const dialog = later<{ opened: boolean }>(async () => {
    if (isOnline) return Dialog;
    failures += 1;
    throw new Error("offline");
  }, null);
  const show = (opened: boolean) => (
    <UiProvider env="test">
      <dialog.Part opened={opened} />
      <p>Failed: {failures}</p>
    </UiProvider>
  );
  const { rerender } = render(show(false));
  await waitFor(() => {
    rerender(show(false));
    expect(screen.getByText("Failed: 1")).toBeVisible();
  });
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();

  rerender(show(true));
  expect(await screen.findByText("This could not be loaded.")).toBeVisible();
  rerender(show(false));
  expect(screen.queryByText("This could not be loaded.")).not.toBeInTheDocument();
  isOnline = true;
  rerender(show(true));

  expect(await screen.findByText("Delete the screen?")).toBeVisible();
});

test("a part that could not be fetched shows an error, and can be tried again", async () => {
  let isOnline = false;
  page(later(async () => (isOnline ? Form : Promise.reject(new Error("offline"))), "Loading"));
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(await screen.findByText("This could not be loaded.")).toBeVisible();

  isOnline = true;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("A form for Noor")).toBeVisible();
});

test("the code is fetched once the browser is idle, or when the part is opened before that", async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal("requestIdleCallback", (run: () => void) => idle.push(run));
  let loads = 0;
  const load = async () => {
    loads += 1;
    return Form;
  };
  page(later(load, "Loading"));
  expect(loads).toBe(0);

  idle.shift()?.();
  expect(loads).toBe(1);

  cleanup();
  page(later(load, "Loading"));
  await userEvent.click(screen.getByRole("button", { name: "Open" }));

  expect(await screen.findByText("A form for Noor")).toBeVisible();
  expect(loads).toBe(2);
});
