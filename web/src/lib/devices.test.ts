import { expect, test } from "vitest";
import { deviceFor, keepDevice } from "./devices";

test("a device is known for the last five emails, however they are written", () => {
  expect(deviceFor("mara@example.com")).toBeNull();
  keepDevice("Mara@Example.com", "first");
  keepDevice("mara@example.com ", "second");
  expect(deviceFor("mara@example.com")).toBe("second");
  for (const number of [1, 2, 3, 4]) keepDevice(`noor${number}@example.com`, `${number}`);
  expect(deviceFor("mara@example.com")).toBe("second");
  keepDevice("noor5@example.com", "5");
  expect(deviceFor("mara@example.com")).toBeNull();
  expect(deviceFor("noor5@example.com")).toBe("5");
});

test.each(["{", "[]", '"text"', '{"mara@example.com": 3}'])("what can't be read (%s) is nothing", (stored) => {
  localStorage.setItem("livery.devices", stored);
  expect(deviceFor("mara@example.com")).toBeNull();
  keepDevice("mara@example.com", "device");
  expect(deviceFor("mara@example.com")).toBe("device");
});
