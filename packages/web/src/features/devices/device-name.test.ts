import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";

test.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
    "Chrome on Linux",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Firefox on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1",
    "Safari on iOS",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0",
    "Edge on Windows",
  ],
  ["something else", "something else"],
  [null, "Browser"],
])("%s is %s", (name, words) => {
  expect(deviceName({ kind: "browser", name })).toBe(words);
});

test("a command line is known by its own name", () => {
  expect(deviceName({ kind: "cli", name: "ana-laptop" })).toBe("ana-laptop");
  expect(deviceName({ kind: "cli", name: null })).toBe("Command line");
});
