import { describe, expect, test } from "vitest";
import { maskUrl, secretsInUrl, unmaskUrl } from "./url-secrets.ts";

test.each([
  ["https://host/mcp", "https://host/mcp"],
  ["https://host/mcp?token=abc&sig=d%2Fe", "https://host/mcp?token=***&sig=***"],
  ["https://host/mcp?a=1&a=2&b=", "https://host/mcp?a=***&a=***&b="],
  ["https://host/mcp?bare-key", "https://host/mcp?***"],
  ["https://host/mcp?k=a=b==", "https://host/mcp?k=***"],
  ["https://user:word@host/mcp#part", "https://***@host/mcp#***"],
  ["https://token@host/?x=1#y", "https://***@host/?x=***#***"],
  ["no address?key=abc", "no address?***"],
])("%s is shown as %s", (address, shown) => {
  expect(maskUrl(address)).toBe(shown);
  expect(maskUrl(shown)).toBe(shown);
});

test("its secrets are found as they are written and as they are meant, ordinary words and dates left out", () => {
  const address =
    "https://us%40er:word@host/mcp?token=short&sig=a%2Fb%2B1234&mode=readonly&v=2025-11-25&q=two+words-9#part";
  expect(secretsInUrl(address).sort()).toEqual(
    [
      "short",
      "a%2Fb%2B1234",
      "a/b+1234",
      "two+words-9",
      "two words-9",
      "us%40er",
      "us@er",
      "word",
      "part",
    ].sort(),
  );
});

describe("an address that comes back", () => {
  const stored = "https://host/mcp?key=abc%2F1&sig=def&key=ghi&empty=";
  test.each([
    ["as it was shown", maskUrl(stored), stored],
    [
      "with another path",
      "https://host/v2?key=***&sig=***&key=***",
      "https://host/v2?key=abc%2F1&sig=def&key=ghi",
    ],
    ["with fewer names", "https://host/mcp?sig=***", "https://host/mcp?sig=def"],
    ["in another order", "https://host/mcp?sig=***&key=***", "https://host/mcp?sig=def&key=abc%2F1"],
    ["with its masks encoded", "https://host/mcp?sig=%2A%2A%2A", "https://host/mcp?sig=def"],
  ])("%s has its stored values again", (_how, sent, url) => {
    expect(unmaskUrl(sent, stored)).toEqual({ kind: "unmasked", url });
  });

  test.each([
    ["a user", "https://token@host/mcp"],
    ["a user and a password", "https://us:word@host/mcp"],
    ["a password alone", "https://:word@host/mcp"],
    ["a part behind it", "https://host/mcp#part"],
  ])("with %s and no query has them again, and still no query", (_how, known) => {
    expect(unmaskUrl(maskUrl(known), known)).toEqual({ kind: "unmasked", url: known });
  });

  test("has its user and password again where the password alone is masked", () => {
    const known = "https://us:word@host/mcp";
    expect(unmaskUrl("https://:***@host/mcp", known)).toEqual({ kind: "unmasked", url: known });
  });

  test.each([
    ["wholly new", "https://other/mcp?key=new"],
    ["without any value", "https://host/mcp"],
    ["that is no address", "host/mcp?key=***"],
  ])("%s is taken as it is", (_how, sent) => {
    expect(unmaskUrl(sent, stored)).toEqual({ kind: "whole", url: sent });
  });

  test.each([
    ["masked in part", "https://host/mcp?key=***&sig=new", stored],
    ["with a mask inside a value", "https://host/mcp?key=abc***", stored],
    ["with a name that is not stored", "https://host/mcp?other=***", stored],
    ["with one more of a name than is stored", "https://host/mcp?sig=***&sig=***", stored],
    ["at another host", "https://other/mcp?key=***", stored],
    ["at another port", "https://host:8443/mcp?key=***", stored],
    ["over another scheme", "http://host/mcp?key=***", stored],
    ["with nothing stored", "https://host/mcp?key=***", undefined],
    ["with a masked user", "https://***@host/mcp?key=new", stored],
  ])("%s is refused", (_how, sent, known) => {
    expect(unmaskUrl(sent, known)).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/masked/),
    });
  });

  test.each([
    ["https://host/mcp?other=***", '"other"'],
    ["https://host/mcp?***", '""'],
  ])("%s is refused by the name that is not stored", (sent, name) => {
    expect(unmaskUrl(sent, stored)).toMatchObject({
      reason: `It has a masked value for ${name}, for which none is stored.`,
    });
  });
});
