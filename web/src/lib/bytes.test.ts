import { expect, test } from "vitest";
import { formatBytes } from "./bytes";

// spec: usage-3
test.each([
  [0, "0 Bytes"],
  [1, "1 Byte"],
  [1023, "1,023 Bytes"],
  [1024, "1 KB"],
  [1536, "1.5 KB"],
  [1024 ** 2 - 1, "1 MB"],
  [4_718_592, "4.5 MB"],
  [15 * 1024 ** 3, "15 GB"],
  [150.4 * 1024 ** 3, "150 GB"],
  [3 * 1024 ** 4, "3 TB"],
  [5000 * 1024 ** 4, "5,000 TB"],
])("%d bytes are written as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
