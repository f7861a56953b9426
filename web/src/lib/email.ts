/** The server's rule for email addresses (`canonical_email` in livery/core/schemas.py), so that no form refuses what the server accepts. */
import { EMAIL_CHARACTERS } from "./limits.gen";
import { z } from "./zod";

const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function isEmail(text: string): boolean {
  // Other letters become ASCII in lower case: the sign of Kelvin is a k there.
  if (/[^ -~]/.test(text)) return false;
  const email = text.toLowerCase();
  const [local = ""] = email.split("@");
  const hasStrayDot = local.startsWith(".") || local.endsWith(".") || local.includes("..");
  return email.length <= EMAIL_CHARACTERS && ADDRESS.test(email) && !hasStrayDot;
}

/** A required email field. Parses to the address without the spaces around it. `missing` is the message for an empty field. */
export const emailField = (missing: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { message: missing, abort: true }),
      z.refine(isEmail, "Enter an email address, like name@example.com."),
    );
