import { Modal } from "@mantine/core";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { flushSync } from "react-dom";
import { expect, test, vi } from "vitest";
import { ConfirmDialog } from "./confirm-dialog";
import { IconRefresh } from "./icons";
import { UiProvider } from "./ui-provider";

function show(props: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) {
  const onConfirm = vi.fn();
  const onClose = vi.fn();
  render(
    <UiProvider env="test">
      <ConfirmDialog opened title="Go on?" confirmText="Go on" onConfirm={onConfirm} onClose={onClose} {...props}>
        What will happen.
      </ConfirmDialog>
    </UiProvider>,
  );
  return {
    onConfirm,
    onClose,
    user: userEvent.setup(),
    dialog: within(screen.getByRole("dialog", { name: "Go on?" })),
  };
}

// spec: confirm-2
test.each([
  ["danger", "tabler-icon-trash"],
  ["warning", "tabler-icon-alert-triangle"],
  ["info", "tabler-icon-info-circle"],
  ["success", "tabler-icon-circle-check"],
] as const)("a question of the type '%s' has its own icon", (tone, icon) => {
  const { dialog } = show({ tone });

  const shown = dialog.getByText("What will happen.").parentElement?.querySelector("svg");
  expect(shown).toHaveClass(icon);
  expect(shown).toHaveAttribute("data-tone", tone);
});

test("a danger that deletes nothing has an icon of its own", () => {
  const { dialog } = show({ tone: "danger", icon: IconRefresh });

  const shown = dialog.getByText("What will happen.").parentElement?.querySelector("svg");
  expect(shown).toHaveClass("tabler-icon-refresh");
  expect(shown).toHaveAttribute("data-tone", "danger");
});

// spec: confirm-1
test("it asks with its own words, and answers once", async () => {
  const { dialog, user, onConfirm, onClose } = show({ cancelText: "Not now" });
  expect(dialog.getByText("What will happen.")).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Not now" }));
  expect(onClose).toHaveBeenCalledTimes(1);
  await user.click(dialog.getByRole("button", { name: "Go on" }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
});

/** As its callers have it: what is confirmed has its answer at once, and a failure keeps the question open. */
function Asking({ onCall, fails }: { onCall: () => void; fails: () => boolean }) {
  const [isAsking, setAsking] = useState(false);
  const [loading, setLoading] = useState(false);
  const confirm = async () => {
    onCall();
    setLoading(true);
    await Promise.resolve();
    if (!fails()) setAsking(false);
    setLoading(false);
  };
  return (
    <UiProvider env="default">
      <button type="button" onClick={() => setAsking(true)}>
        Ask
      </button>
      <ConfirmDialog
        opened={isAsking}
        title="Go on?"
        confirmText="Go on"
        loading={loading}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      >
        What will happen.
      </ConfirmDialog>
    </UiProvider>
  );
}

async function ask(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole("button", { name: "Ask", hidden: true }));
  return screen.findByRole("button", { name: "Go on" });
}

test("a second click after a fast answer does nothing, and the next question can be answered again", async () => {
  const onCall = vi.fn();
  const user = userEvent.setup();
  render(<Asking onCall={onCall} fails={() => false} />);
  const confirm = await ask(user);

  await user.click(confirm);
  // The question fades away, and the finger is faster.
  fireEvent.click(confirm);
  expect(onCall).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(await ask(user));
  expect(onCall).toHaveBeenCalledTimes(2);
});

test("after a failure that keeps it open it can be confirmed again", async () => {
  const onCall = vi.fn();
  const user = userEvent.setup();
  let fails = true;
  render(<Asking onCall={onCall} fails={() => fails} />);
  const confirm = await ask(user);
  await user.click(confirm);

  fails = false;
  await user.click(confirm);

  expect(onCall).toHaveBeenCalledTimes(2);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("what was called off can't be confirmed while it fades away", async () => {
  const onCall = vi.fn();
  const user = userEvent.setup();
  render(<Asking onCall={onCall} fails={() => false} />);
  const confirm = await ask(user);

  await user.click(screen.getByRole("button", { name: "Cancel" }));
  fireEvent.click(confirm);

  expect(onCall).not.toHaveBeenCalled();
});

// spec: confirm-1
test("without words for it the way out is called Cancel, and a dangerous question starts there", async () => {
  const { dialog } = show({ tone: "danger" });

  await waitFor(() => expect(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus());
});

// spec: confirm-3
test("while it works it can neither be confirmed again nor closed", async () => {
  const { dialog, user, onConfirm, onClose } = show({ loading: true });
  const confirm = dialog.getByRole("button", { name: "Go on" });
  expect(confirm).toHaveAttribute("data-loading");
  expect(confirm).toBeDisabled();
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();

  await user.keyboard("{Escape}");
  await user.click(dialog.getByRole("button", { name: "Close" }));

  expect(onClose).not.toHaveBeenCalled();
  expect(onConfirm).not.toHaveBeenCalled();
});

/** A dialog with a guard. The browser draws between the listeners of one key press, as `flushSync` does here. */
function Guarded() {
  const [isAsking, setAsking] = useState(false);
  return (
    <UiProvider env="test">
      <Modal opened title="Below" onClose={() => flushSync(() => setAsking(true))}>
        <ConfirmDialog
          opened={isAsking}
          title="Discard?"
          confirmText="Discard"
          cancelText="Keep editing"
          tone="danger"
          onConfirm={() => undefined}
          onClose={() => flushSync(() => setAsking(false))}
        >
          What is lost.
        </ConfirmDialog>
      </Modal>
    </UiProvider>
  );
}

test("the Escape that asks does not answer, and the next one answers without asking again", async () => {
  const user = userEvent.setup();
  render(<Guarded />);

  await user.keyboard("{Escape}");
  expect(await screen.findByRole("dialog", { name: "Discard?" })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("button", { name: "Keep editing" })).toHaveFocus());
  fireEvent.keyDown(document.activeElement as Element, { key: "Escape", repeat: true });
  expect(screen.getByRole("dialog", { name: "Discard?" })).toBeInTheDocument();

  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Discard?" })).not.toBeInTheDocument());
  expect(screen.getByRole("dialog", { name: "Below" })).toBeInTheDocument();
});
