/** The settings of an account, section by section. */
import { screen, within } from "@testing-library/react";
import { SettingsPage } from "@/features/settings/settings-page";
import { renderPart } from "@/testing/component";
import { aUser } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";
import { aKey, aSession, KEY } from "@/testing/settings";

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Before each test: the answers that the page asks for. */
export function answerSettings() {
  server.use(
    answer("get", "/api/user/apikey", { apikey: KEY }),
    answer("get", "/api/user/apikeys", { apikeys: [aKey()] }),
    answer("get", "/api/user/sessions", { sessions: [aSession()] }),
    answer("get", "/api/projects", []),
  );
}

/** Opens the page and waits for it; gives the section with this title. */
export async function openSection(title: string, user = aUser()) {
  const opened = renderPart(<SettingsPage />, { at: "/settings", me: user });
  const element = await screen.findByRole("region", { name: title });
  return { ...opened, section: within(element) };
}
