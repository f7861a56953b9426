/** The list of AI translations of a project. */
import { screen, within } from "@testing-library/react";
import { PROJECT_ID } from "@/testing/fixtures";

export const JOBS = `/api/projects/${PROJECT_ID}/jobs`;

export const ended = () => new Date().toISOString();

export const pill = (word: string | RegExp) => screen.findByRole("button", { name: word });

export const list = async () => within(await screen.findByRole("list", { name: "AI translations" }));
