import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { isForeignPageHere, isOurHost, type Origins, refuseForeignOrigin } from "./same-origin.ts";

const local = { publicUrl: undefined, isLoopback: true };
const proxied = { publicUrl: new URL("https://fettle.example"), isLoopback: true };
const open = { publicUrl: undefined, isLoopback: false };

describe("a host name", () => {
  it.each([
    ["127.0.0.1:7400", local, true],
    ["localhost:7400", local, true],
    ["[::1]:7400", local, true],
    ["evil.example", local, false],
    ["localhost.evil.example:7400", local, false],
    ["127.0.0.1.evil.example", local, false],
    [undefined, local, false],
    ["fettle.example", proxied, true],
    ["evil.example", proxied, false],
    ["192.168.1.4:7400", open, true],
  ])("%s is ours: %o → %s", (host, origins, isOurs) => {
    expect(isOurHost(host, origins)).toBe(isOurs);
  });
});

describe("a page of another site", () => {
  const evil = "https://evil.example";
  it.each([
    ["at a loopback address", { host: "127.0.0.1:7400", origin: evil }, local, true],
    ["at a name that was rebound to it", { host: "evil.example", origin: evil }, local, true],
    [
      "at localhost, where the network is listened on too",
      { host: "localhost:7400", origin: evil },
      open,
      true,
    ],
    ["at a loopback address behind a proxy", { host: "127.0.0.1:7400", origin: evil }, proxied, true],
    ["that says no origin of its own", { host: "127.0.0.1:7400", origin: "null" }, local, true],
    ["at the public address", { host: "fettle.example", origin: evil }, proxied, false],
    ["at an address of the network", { host: "192.168.1.4:7400", origin: evil }, open, false],
  ])("%s: %o of %o is refused: %s", (_, headers, origins, isRefused) => {
    expect(isForeignPageHere(headers, origins)).toBe(isRefused);
  });

  it.each([
    ["another program of this machine", { host: "127.0.0.1:7400", origin: "http://localhost:6274" }, local],
    ["our own page", { host: "[::1]:7400", origin: "http://[::1]:7400" }, local],
    ["our own page behind a proxy", { host: "127.0.0.1:7400", origin: "https://fettle.example" }, proxied],
    ["what is no page", { host: "127.0.0.1:7400" }, local],
  ])("is not %s", (_, headers, origins) => {
    expect(isForeignPageHere(headers, origins)).toBe(false);
  });
});

describe("a write from a browser", () => {
  const host = "127.0.0.1:7400";
  const own = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin", "x-fettle-app": "1" };
  const isRefused = (headers: IncomingHttpHeaders, origins: Origins = local, isSession = true) => {
    try {
      refuseForeignOrigin(headers, origins, isSession);
      return false;
    } catch {
      return true;
    }
  };

  it("passes when it comes from our own page", () => {
    expect(isRefused(own)).toBe(false);
    const behindProxy = { ...own, host: "fettle.example", origin: "https://fettle.example" };
    expect(isRefused(behindProxy, proxied)).toBe(false);
  });

  it.each([
    ["another site's origin", { ...own, origin: "https://evil.example" }],
    ["another port of this machine", { ...own, origin: "http://127.0.0.1:7401" }],
    ["an opaque origin", { ...own, origin: "null" }],
    ["a site marked as cross-site", { ...own, "sec-fetch-site": "cross-site" }],
    ["a subdomain", { ...own, "sec-fetch-site": "same-site" }],
    ["a form, which cannot send our header", { host, origin: `http://${host}` }],
    ["nothing but the cookie", { host }],
  ])("is refused with %s", (_, headers) => {
    expect(isRefused(headers)).toBe(true);
  });

  it("needs our header only when a session stands behind it", () => {
    expect(isRefused({ host }, local, false)).toBe(false);
    expect(isRefused({ host, origin: "https://evil.example" }, local, false)).toBe(true);
  });
});
