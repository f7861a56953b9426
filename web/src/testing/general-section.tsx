/** The section of general information. */
import { screen, within } from "@testing-library/react";
import { GeneralSection } from "@/features/project-settings/general-section";
import type { Project } from "@/lib/api-types";
import { renderSettings } from "@/testing/settings-part";

export const openSettings = (project: Partial<Project> = {}) =>
  renderSettings((shown) => <GeneralSection project={shown} />, project);

export async function openForm(project: Partial<Project> = {}) {
  const opened = openSettings({ description: "A travel app.", revision: 3, ...project });
  await opened.user.click(opened.section("General information").getByRole("button", { name: "Edit" }));
  return { ...opened, form: within(await screen.findByRole("form", { name: "General information" })) };
}
