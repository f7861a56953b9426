import { expect, test } from "vitest";
import { aUser } from "@/testing/fixtures";
import { endSession, onSessionEnd, sessionToken, startSession, storedUser, storeUser } from "./session";

test("an answer that comes after the session's end leaves no trace of the user", () => {
  startSession("tok", aUser(), { remember: true });
  endSession("logout");

  storeUser(aUser());

  expect(storedUser()).toBeUndefined();
  expect(localStorage.length).toBe(0);
});

test("a new session takes nothing over from the session before", () => {
  startSession("first", aUser(), { remember: false });

  startSession("second", aUser({ name: "Mara" }), { remember: true });

  expect(sessionToken()).toBe("second");
  expect(storedUser()?.name).toBe("Mara");
  expect(document.cookie).toBe("");
});

test("a session ends once, and its listeners get the reason", () => {
  const heard: string[] = [];
  const stop = onSessionEnd((reason) => heard.push(reason));
  startSession("tok", aUser(), { remember: true });

  endSession("expired");
  endSession("logout");
  stop();

  expect(heard).toEqual(["expired"]);
});
