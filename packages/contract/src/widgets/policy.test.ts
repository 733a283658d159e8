import { expect, test } from "vitest";
import { declaredWidget } from "./declared.ts";
import { widgetHost } from "./host.ts";
import { type PolicyInput, widgetPolicy } from "./policy.ts";
import { readSource } from "./sources.ts";

const hosted = { mode: "hosted", ownHosts: ["app.fettle.example", "sandbox.example"] } as const;
const local = { mode: "local", ownHosts: ["127.0.0.1:7410"] } as const;

const policyOf = (meta: unknown, rest: Partial<PolicyInput> = {}) =>
  widgetPolicy({
    declared: declaredWidget(meta, undefined),
    host: widgetHost({ sandbox: { permissions: { allow: { camera: true, clipboardWrite: true } } } }),
    deployment: hosted,
    ancestors: ["https://sandbox.example", "https://app.fettle.example"],
    ...rest,
  });

const directives = (header: string) =>
  Object.fromEntries(header.split("; ").map((each) => [each.split(" ")[0], each.split(" ").slice(1)]));

test("a widget that declares nothing reaches nothing", () => {
  const { header, allow, granted } = policyOf({});
  expect(directives(header)).toMatchObject({
    "default-src": ["'none'"],
    "connect-src": ["'none'"],
    "frame-src": ["'none'"],
    "worker-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "script-src": ["'unsafe-inline'"],
    sandbox: ["allow-scripts", "allow-forms"],
    "frame-ancestors": ["https://sandbox.example", "https://app.fettle.example"],
  });
  expect(header).not.toContain("'self'");
  expect(allow).toBe("");
  expect(granted.sources).toEqual({ connect: [], resource: [], frame: [], base: [] });
});

test("what it declares is granted, each where it belongs, and in both dialects", () => {
  const standard = policyOf({
    ui: {
      csp: {
        connectDomains: ["https://api.example.com", "wss://live.example.com"],
        resourceDomains: ["https://*.cdn.example.com"],
      },
      permissions: { camera: {}, geolocation: {}, wings: {} },
    },
  });
  expect(directives(standard.header)).toMatchObject({
    "connect-src": ["https://api.example.com", "wss://live.example.com"],
    "script-src": ["'unsafe-inline'", "https://*.cdn.example.com"],
    "img-src": ["data:", "blob:", "https://*.cdn.example.com"],
    "worker-src": ["blob:"],
  });
  expect(standard.allow).toBe("camera *");
  expect(standard.dropped).toEqual([
    { list: "permissions", entry: "geolocation", reason: "is nothing this host gives" },
    { list: "permissions", entry: "wings", reason: "is no permission there is" },
  ]);
  const second = policyOf({
    "openai/widgetCSP": {
      connect_domains: ["https://api.example.com"],
      frame_domains: ["https://f.example.com"],
    },
  });
  expect(directives(second.header)).toMatchObject({
    "connect-src": ["https://api.example.com"],
    "frame-src": ["https://f.example.com"],
  });
});

test("what was read says it field by field, the list's entry where it is silent", () => {
  const read = { ui: { csp: { connectDomains: [] }, prefersBorder: false } };
  const listed = {
    ui: {
      csp: { connectDomains: ["https://a.example.com"], resourceDomains: ["https://b.example.com"] },
      domain: "d",
    },
  };
  expect(declaredWidget(read, listed)).toEqual({
    sources: { connect: [], resource: ["https://b.example.com"] },
    permissions: [],
    domain: "d",
    prefersBorder: false,
  });
  expect(declaredWidget("no object", { ui: { csp: "nonsense", permissions: [] } })).toEqual({
    sources: {},
    permissions: [],
  });
});

test.each([
  ["https://example.com", "https://example.com"],
  ["https://example.com/", "https://example.com"],
  ["HTTPS://Example.com:8443", "https://example.com:8443"],
  ["example.com", "https://example.com"],
  ["*.example.com", "https://*.example.com"],
  ["wss://example.com", "wss://example.com"],
])("%s may be reached", (entry, source) => {
  expect(readSource(entry, hosted)).toEqual({ source });
});

test.each([
  ["*"],
  ["https:"],
  ["data:"],
  ["https://*"],
  ["https://*.com"],
  ["https://a.*.example.com"],
  ["https://example.com/path"],
  ["https://user:word@example.com"],
  ["https://example.com; script-src *"],
  ["https://example.com 'unsafe-eval'"],
  ["https://example.com\r\nset-cookie: a=b"],
  ["'self'"],
  ["http://example.com"],
  ["javascript:alert(1)"],
  ["https://example.com:99999"],
  ["https://127.0.0.1"],
  ["https://2130706433"],
  ["https://0x7f.1"],
  ["https://10.0.0.8"],
  ["https://169.254.169.254"],
  ["https://[::1]"],
  ["https://localhost:3000"],
  ["http://localhost:3000"],
  ["https://db.internal"],
  ["https://intranet"],
  ["https://app.fettle.example"],
  ["https://*.fettle.example"],
  ["https://sandbox.example"],
  [{}],
  [null],
])("%s may not, where many people's browsers would", (entry) => {
  expect(readSource(entry, hosted)).toHaveProperty("fault");
});

test.each([
  ["*", "names no host, but everything"],
  ["https:", "names no host, but everything"],
  ["https://example.com/path", "is no origin"],
  ["http://example.com", "is not encrypted"],
  ["https://*.com", "stands for a whole top-level domain"],
  ["https://10.0.0.8", "lies in a private network"],
  ["https://sandbox.example", "is this service"],
  [null, "is no text"],
])("%s is told why it may not", (entry, fault) => {
  expect(readSource(entry, hosted)).toEqual({ fault });
});

test("on one's own machine a widget may reach that machine, but nothing else without encryption", () => {
  expect(readSource("http://127.0.0.1:8000", local)).toEqual({ source: "http://127.0.0.1:8000" });
  expect(readSource("http://localhost:8000", local)).toEqual({ source: "http://localhost:8000" });
  expect(readSource("http://192.168.1.4", local)).toHaveProperty("fault");
});

test("a host narrows what is declared, and adds keywords of its own", () => {
  const host = widgetHost({
    capabilities: {
      cspFrameDomains: false,
      cspResourceDomains: { script: false, image: true },
      sandboxPermissions: false,
    },
    sandbox: {
      csp: {
        cspDirectives: {
          "script-src": ["'self'", "'unsafe-eval'", "https://esm.example"],
          "worker-src": ["'self'"],
        },
      },
      permissions: { allow: { camera: true } },
    },
  });
  const { header, granted, dropped } = policyOf(
    {
      ui: {
        csp: { frameDomains: ["https://f.example.com"], resourceDomains: ["https://cdn.example.com"] },
        permissions: { camera: {} },
      },
    },
    { host },
  );
  expect(directives(header)).toMatchObject({
    "script-src": ["'unsafe-inline'", "'unsafe-eval'"],
    "img-src": ["data:", "blob:", "https://cdn.example.com"],
    "frame-src": ["'none'"],
    "worker-src": ["'none'"],
  });
  expect(granted.permissions).toEqual([]);
  expect(dropped.map(({ list }) => list)).toEqual(["frame", "permissions"]);
});

test("a person switches the network off or open on their own machine only", () => {
  const meta = { ui: { csp: { connectDomains: ["https://api.example.com"] } } };
  expect(directives(policyOf(meta, { network: "none" }).header)["connect-src"]).toEqual(["'none'"]);
  expect(directives(policyOf(meta, { network: "open", deployment: local }).header)["connect-src"]).toEqual([
    "https://api.example.com",
    "https:",
    "wss:",
  ]);
  expect(directives(policyOf(meta, { network: "open" }).header)["connect-src"]).toEqual([
    "https://api.example.com",
  ]);
});

test("a declaration of thousands of sources ends in a header that servers and browsers take", () => {
  const connectDomains = Array.from({ length: 5_000 }, (_, at) => `https://host-${at}.example.com`);
  const { header, granted, dropped } = policyOf({ ui: { csp: { connectDomains } } });
  expect(granted.sources.connect.length).toBe(64);
  expect(dropped.length).toBe(5_000 - 64);
  expect(header.length).toBeLessThan(4_096);
});
