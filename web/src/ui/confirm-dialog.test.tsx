import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ConfirmDialog } from "./confirm-dialog";
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

test("it asks with its own words, and answers once", async () => {
  const { dialog, user, onConfirm, onClose } = show({ cancelText: "Not now" });
  expect(dialog.getByText("What will happen.")).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Not now" }));
  expect(onClose).toHaveBeenCalledTimes(1);
  await user.click(dialog.getByRole("button", { name: "Go on" }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
});

test("without words for it the way out is called Cancel, and a dangerous question starts there", async () => {
  const { dialog } = show({ tone: "danger" });

  await waitFor(() => expect(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus());
});

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
