/** The forms refuse exactly what the server refuses: tests/core/test_emails.py reads the same list. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { emailField } from "./email";

const source = readFileSync(resolve(import.meta.dirname, "../../../tests/vectors/emails.json"), "utf8");
const { accepted, refused } = JSON.parse(source) as { accepted: string[]; refused: string[] };
const isAccepted = (typed: string) => emailField("Enter your email.").safeParse(typed).success;

test("what the server accepts is accepted, without the spaces around it", () => {
  expect(accepted.filter((typed) => !isAccepted(typed))).toEqual([]);
  expect(emailField("Enter your email.").parse(" admin@localhost ")).toBe("admin@localhost");
});

test("what the server refuses is refused, with an example of what is meant", () => {
  expect(refused.filter(isAccepted)).toEqual([]);
  expect(
    emailField("Enter your email.")
      .safeParse("name@")
      .error?.issues.map(({ message }) => message),
  ).toEqual(["Enter an email address, like name@example.com."]);
  expect(
    emailField("Enter your email.")
      .safeParse("  ")
      .error?.issues.map(({ message }) => message),
  ).toEqual(["Enter your email."]);
});
