/** Who may upload images, and under which plan. */
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aFile, anImage, dialogOf, drop, IMAGES, openImages, prepareImages } from "@/testing/images";
import { openDashboard } from "@/testing/images-page";
import { answer, refusal, server } from "@/testing/server";

const EXPIRED: Partial<Project> = { activeTier: "expired", plan: "expired", expiresAt: "2026-01-01T00:00:00Z" };

beforeEach(prepareImages);

// spec: image-28
test("a viewer sees the images and copies their addresses, and changes nothing", async () => {
  await openImages([anImage("logo")], { role: "viewer", permissions: ["read"] });

  expect(screen.getByRole("button", { name: "Copy URL of logo" })).toBeVisible();
  for (const name of ["Upload Image", "Edit logo", "Delete logo"]) {
    expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
  }
  fireEvent.paste(window, { clipboardData: { files: [aFile("image.png")] } });
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: image-27
test("an upload without a plan offers the plans", async () => {
  const { user } = await openDashboard([anImage("logo")], EXPIRED);
  server.use(answer("get", "/api/plans", { plans: [] }));

  await user.click(screen.getByRole("button", { name: "Upload Image" }));

  expect(await screen.findByRole("dialog", { name: /plan|Activate/i })).toBeVisible();
  expect(screen.queryByRole("dialog", { name: "Upload Image" })).not.toBeInTheDocument();
});

// spec: image-27
test("a person who may not choose a plan reads why there is no upload", async () => {
  const { user } = await openImages([anImage("logo")], {
    ...EXPIRED,
    role: "editor",
    permissions: ["read", "edit", "publish"],
  });

  const button = screen.getByRole("button", { name: "Upload Image" });
  expect(button).toHaveAccessibleDescription(/does not have an active plan/);
  await user.click(button);

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: image-27
test("an upload that is refused because the plan has ended offers the plans", async () => {
  const { user } = await openDashboard();
  drop([aFile("hero.png")]);
  const dialog = await dialogOf("Upload Image");
  const message = "This project does not have an active plan.";
  server.use(refusal("post", IMAGES, 402, { message }), answer("get", "/api/plans", { plans: [] }));

  await user.click(dialog.getByRole("button", { name: "Upload" }));
  expect(await dialog.findByText(message)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Choose a plan" }));

  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Upload Image" })).not.toBeInTheDocument());
  expect(await screen.findByRole("dialog", { name: /plan|Activate/i })).toBeVisible();
});
