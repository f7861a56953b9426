import { expect, test } from "vitest";
import { deviceOf } from "./device";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";

test.each([
  [FIREFOX, "Firefox on Linux"],
  [IPHONE, "Safari on iPhone"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["curl/8.14.1", "curl"],
  ["", "Unknown device"],
])("%j is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
