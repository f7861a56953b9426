/** The AI of a cell. */
import { answer } from "@/testing/server";

export const REPHRASE = "/api/translations/rephrase";

export const TRANSLATE = "/api/translations/translate";

export const rephrased = (text: string, provider = "openai") =>
  answer("post", REPHRASE, { rephrasedText: text, provider });
