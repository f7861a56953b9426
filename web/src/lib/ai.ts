/** The messages for a person who can't use AI, or whose AI job failed. */
import { ApiError, failureOf } from "./api";

export const NO_PLAN_FOR_AI =
  "This project does not have an active plan. Please assign credits in Project Settings to use AI.";

const VAGUE = /\s*Please try again( in a moment)?\.$/;

/** As `failureOf`, with the time until the next try if the server gave a time. */
export function aiFailureOf(error: unknown, fallback: string): string {
  const text = failureOf(error, fallback);
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  if (seconds === null || /try again in (a|\d+) minute/i.test(text)) return text;
  const wait =
    seconds < 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${Math.ceil(seconds / 60)} minutes`;
  return `${text.replace(VAGUE, "")} Try again in ${wait}.`;
}
