/** What the account forms ask of their fields before a call is made; the server checks everything again. */
import { emailField } from "@/lib/email";
import { PASSWORD_LEAST_CHARACTERS } from "@/lib/limits.gen";
import { z } from "@/lib/zod";

const email = emailField("Enter your email.");

export const loginSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, "Enter your password.")),
  remember: z.boolean(),
});

export const registerSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Enter your name.")),
  email,
  password: z.string().check(z.minLength(1, "Enter a password.")),
});

export const emailSchema = z.object({ email });

export const resetSchema = z.object({ password: z.string(), confirmation: z.string() }).check(
  z.superRefine(({ password, confirmation }, context) => {
    if (password !== confirmation) {
      context.addIssue({
        code: "custom",
        path: ["confirmation"],
        message: "Passwords do not match. Please try again.",
      });
    }
    if ([...password].length < PASSWORD_LEAST_CHARACTERS) {
      context.addIssue({
        code: "custom",
        path: ["password"],
        message: `Password must be at least ${PASSWORD_LEAST_CHARACTERS} characters long.`,
      });
    }
  }),
);
