import { expect, test } from "vitest";
import { answerRedirect, isLoopbackRedirect } from "./redirect-uri.ts";

test.each(["http://127.0.0.1:49152/callback", "http://localhost:8080/", "http://127.0.0.1:1/a/b-c_d"])(
  "%s may be asked for",
  (uri) => {
    expect(isLoopbackRedirect(uri)).toBe(true);
  },
);

test.each([
  "",
  "http://127.0.0.1/callback",
  "https://127.0.0.1:8080/",
  "http://127.0.0.1:8080",
  "http://127.0.0.2:8080/",
  "http://[::1]:8080/",
  "http://localhost.evil.example:8080/",
  "http://127.0.0.1.evil.example:8080/",
  "http://localhost@evil.example:8080/",
  "http://user:pass@127.0.0.1:8080/",
  "http://127.0.0.1:8080@evil.example/",
  "http://127.0.0.1:8080\\@evil.example/",
  "http://127.0.0.1:8080/?next=https://evil.example",
  "http://127.0.0.1:8080/#fragment",
  "http://127.0.0.1:8080/?",
  "http://127.0.0.1:8080/#",
  "http://127.0.0.1:8080/../x",
  "http://127.0.0.1:08080/",
  "http://2130706433:8080/",
  "http://0x7f.1:8080/",
  "http://LOCALHOST:8080/",
  "http://localhost.:8080/",
  " http://127.0.0.1:8080/",
  "http://127.0.0.1:8080/\n",
  "http://127.0.0.1:8080/%2e%2e",
  "javascript:alert(1)//127.0.0.1:8080/",
  `http://127.0.0.1:8080/${"a".repeat(300)}`,
])("%s may not be asked for", (uri) => {
  expect(isLoopbackRedirect(uri)).toBe(false);
});

test("an answer is added as query parameters, each escaped", () => {
  expect(answerRedirect("http://127.0.0.1:8080/callback", { code: "a b", state: "&x=1#y" })).toBe(
    "http://127.0.0.1:8080/callback?code=a+b&state=%26x%3D1%23y",
  );
});
