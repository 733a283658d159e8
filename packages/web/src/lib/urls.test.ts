import { expect, test } from "vitest";
import { loopbackUrl, ownPath } from "./urls.ts";

const origin = "https://fettle.example";

test("a path of this site is kept with its query and fragment", () => {
  expect(ownPath("/p/prj_1?x=1#y", "/", origin)).toBe("/p/prj_1?x=1#y");
});

test.each([
  null,
  "",
  "p/prj_1",
  "//evil.example/x",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
])("%j leads nowhere but to the fallback", (text) => {
  expect(ownPath(text, "/start", origin)).toBe("/start");
});

test.each(["http://127.0.0.1:49152/callback", "http://localhost:1/x?y=1", "http://[::1]:80/"])(
  "%s is this machine",
  (text) => {
    expect(loopbackUrl(text)).not.toBeNull();
  },
);

test.each([
  "https://127.0.0.1:1/",
  "http://127.0.0.1.evil.example/",
  "http://user:pass@127.0.0.1:1/",
  "http://127.0.0.1@evil.example/",
  "http://evil.example/?http://127.0.0.1",
  "javascript:alert(1)",
  "not a url",
])("%s is not", (text) => {
  expect(loopbackUrl(text)).toBeNull();
});
