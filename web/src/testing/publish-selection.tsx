/** A review with boxes to tick. */
import { screen, within } from "@testing-library/react";
import { Discarding } from "@/features/publishing/discarding";
import { PublishButton } from "@/features/publishing/publish-button";
import type { Diff } from "@/lib/diff";
import { renderInProject } from "@/testing/component";
import { aDiff, languages } from "@/testing/fixtures";
import { change, DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, server } from "@/testing/server";

const NOOR = "usr_noor";

export const published = { message: "Changes published successfully!", release: 2, published: true, leftOut: 0 };

/** Opens the review of these changes, and notes what a publish sends. */
export async function openReview(shown: Diff) {
  const sent: unknown[] = [];
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", DIFF, shown),
    answer("post", PUBLISH, published, { onCall: (body) => sent.push(body) }),
  );
  const opened = renderInProject(
    (project) => (
      <Discarding>
        <PublishButton project={project} onNoPlan={() => {}} />
      </Discarding>
    ),
    { unpublished: { total: shown.total, screens: {}, colors: 0, stores: 0 } },
  );
  await opened.user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  await dialog.findByRole("navigation", { name: "Parts of the review" });
  const box = (name: string | RegExp) => dialog.getByRole("checkbox", { name });
  const publish = () => dialog.getByRole("button", { name: /^Publish/ });
  return { ...opened, sent, dialog, box, publish };
}

export const texts = (key: string, values: Record<string, [string, string]>, by = "usr_mara", name = "Mara Lindt") => ({
  ...change(key, "x", "y"),
  by: name,
  byId: by,
  values: Object.entries(values).map(([language, [old, next]]) => ({
    language,
    old,
    new: next,
    by: null,
    ref: `text:key_${key}/${language}`,
    byId: by,
    needs: [],
    tie: null,
  })),
});

/** Two keys of home, one of them in two languages, a new screen with two keys, and a colour. */
export const fresh: Diff = aDiff({
  ...diff,
  total: 5,
  screens: [
    {
      screen: "home",
      place: "screen/home",
      change: "changed",
      total: 2,
      keys: [
        texts("cta", { en: ["Book now", "Reserve"], de: ["Jetzt buchen", "Reservieren"] }),
        texts("price", { de: ["Ab {price}", "Ab sofort"] }, NOOR, "Noor Aziz"),
      ],
    },
    {
      screen: "promo",
      place: "screen/promo",
      ref: "screen:promo",
      change: "added",
      total: 2,
      keys: ["hero", "hint"].map((key) => ({ ...change(key, "", "Neu"), needs: ["screen:promo"] })),
    },
  ],
  people: [
    { id: "usr_mara", name: "Mara Lindt", total: 4 },
    { id: NOOR, name: "Noor Aziz", total: 1 },
  ],
});
