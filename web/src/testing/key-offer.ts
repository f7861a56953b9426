/** A project whose new keys AI translates. */
import { HttpResponse, http } from "msw";
import { aKey } from "@/testing/fixtures";
import { KEYS } from "@/testing/screen";

export const TRANSLATE_KEY = `${KEYS}/translate-key`;

export const OFFER = "Translation of new keys";

export const adds = http.post(`*${KEYS}`, async ({ request }) => {
  const { key, values } = (await request.json()) as { key: string; values: Record<string, string> };
  return HttpResponse.json(aKey(key, values), { status: 201 });
});

export function inAllLanguages(key: string, failed: { language: string; reason: string }[] = []) {
  const record = aKey(key, { en: "Slow", de: "Langsam", ar: "بطيء" }, { revision: 2 });
  for (const language of ["de", "ar"])
    record.meta[language] = { state: "new", by: "ai", isConfirmed: false, at: record.updatedAt };
  return { updatedKey: record, provider: "openai", failed };
}
