/** A change in the settings of a project reaches the rest of the dashboard. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject } from "@/testing/fixtures";
import { openSettings, PROJECT, serveWrites } from "@/testing/project-settings";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

async function openForm(project: Partial<Project> = {}) {
  const opened = await openSettings({ description: "A travel app.", revision: 3, ...project });
  await opened.user.click(opened.section("General information").getByRole("button", { name: "Edit" }));
  return { ...opened, form: within(await screen.findByRole("form", { name: "General information" })) };
}

// spec: general-1
test("name and description are changed with the revision that was seen; the frame follows", async () => {
  const { form, user, section } = await openForm();
  const got = serveWrites(aProject({ description: "A travel app.", revision: 3 }));
  const name = form.getByRole("textbox", { name: "Project name" });
  expect(name).toHaveFocus();

  await user.clear(name);
  await enter(user, name, "  Aurora Trains ");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Settings saved.")).toBeInTheDocument();
  expect(got).toEqual([{ name: "Aurora Trains", revision: 3 }]);
  expect(section("General information").getByRole("button", { name: "Edit" })).toHaveFocus();
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Aurora Trains / Settings");
});

test("a change that arrives while a person types counts as unseen", async () => {
  const { form, user, queryClient } = await openForm();
  const theirs = aProject({ name: "Theirs", description: "A travel app.", revision: 5 });
  serveWrites(theirs);
  server.use(answer("get", PROJECT, theirs));
  await user.type(form.getByRole("textbox", { name: "Project name" }), "!");

  await queryClient.invalidateQueries();
  await within(screen.getByRole("heading", { level: 1 })).findByText("Theirs");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await form.findByText(/Noor Aziz changed this project while you were editing it\./)).toBeVisible();
});
