/** The screen home with a key in each state. */
import type { Project } from "@/lib/api-types";
import { arabic, languages } from "@/testing/fixtures";
import { cta, help, saved, title } from "@/testing/screen-keys";
import { renderScreen } from "@/testing/screen-part";

const known = [...languages, arabic];

export const openScreen = (keys = [cta, title, saved, help], project: Partial<Project> = {}, path = "home") =>
  renderScreen(keys, project, { at: path, known });
