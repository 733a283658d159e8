import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Config } from "../../core/config/config.ts";
import { widgetOrigins } from "./origins.ts";
import { createSandbox, type Refusal, type WidgetDocument } from "./sandbox.ts";
import { renderWidget } from "./widgets.ts";

const document: WidgetDocument = {
  html: "<p>hello</p>",
  policy: "default-src 'none'; sandbox allow-scripts",
  allow: "",
};
const noted: Refusal[] = [];
const server = createServer();
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  const shelf = {
    find: async (id: string) => (id === "known" ? document : undefined),
    note: async (_id: string, refusal: Refusal) => void noted.push(refusal),
  };
  const appOrigin = "http://127.0.0.1:1";
  server.on("request", createSandbox({ appOrigin, origin: `http://localhost:${port}`, shelf }));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

function ask({ method = "GET", path, headers = {}, body = "" }: Asked) {
  return new Promise<{ status: number; policy: string; text: string }>((resolve, reject) => {
    const sent = request({
      port,
      method,
      path,
      headers: { host: `localhost:${port}`, "content-length": String(Buffer.byteLength(body)), ...headers },
    });
    sent.on("error", reject);
    sent.on("response", async (response) => {
      const text = (await response.setEncoding("utf8").toArray()).join("");
      resolve({
        status: response.statusCode!,
        policy: String(response.headers["content-security-policy"]),
        text,
      });
    });
    sent.end(body);
  });
}

const report = (blocked: string) =>
  JSON.stringify({ "csp-report": { "effective-directive": "connect-src", "blocked-uri": blocked } });
const csp = { "content-type": "application/csp-report" };

describe("the origin of widgets", () => {
  it.each([
    [{ path: "/d/known" }, 200],
    [{ path: "/proxy/known" }, 200],
    [{ path: "/d/unknown" }, 404],
    [{ path: "/proxy/unknown" }, 404],
    [{ path: "/" }, 404],
    [{ path: "/d/known/more" }, 404],
    [{ path: "/api/v1/projects" }, 404],
    [{ path: "/app/bootstrap" }, 404],
    [{ path: "/d/known", headers: { host: "evil.example" } }, 421],
    [{ path: "/d/known", headers: { host: "127.0.0.1:1" } }, 421],
    [{ path: "/d/known", method: "POST" }, 405],
    [{ path: "/r/known" }, 404],
    [{ path: "/r/known", method: "POST", headers: { "content-type": "text/plain" }, body: report("x") }, 415],
    [{ path: "/r/known", method: "POST", headers: csp, body: report("x".repeat(9_000)) }, 413],
    [{ path: "/r/known", method: "POST", headers: csp, body: "nonsense" }, 400],
    [{ path: "/r/known", method: "POST", headers: csp, body: report("https://out.example/a?secret=1") }, 204],
  ])("answers %j with %i, and never without a policy", async (asked, status) => {
    const answer = await ask(asked);
    expect(answer.status).toBe(status);
    expect(answer.policy).toMatch(/^default-src 'none'/);
    if (status !== 200) expect(answer.text).toBe("");
  });

  it("keeps of a report what was refused, and nothing a widget may have put behind it", () => {
    expect(noted).toEqual([{ directive: "connect-src", blocked: "https://out.example/a" }]);
  });
});

it("is not read for a host that nobody knows, and the known ones are named", async () => {
  const origins = { app: "http://127.0.0.1:1", widgets: "http://localhost:1" };
  const place = { origins, mode: "hosted" as const, now: Date.now, keep: async () => {} };
  const read = () => Promise.reject(new Error("was read"));
  const asked = renderWidget(place, { resourceUri: "ui://shop", hostId: "nobody" }, read);
  await expect(asked).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: { path: "body.hostId", hint: expect.stringContaining("fettle") },
  });
});

it.each<[given: { host: string; publicUrl?: string; widgetUrl?: string }, widgets: string | undefined]>([
  [{ host: "127.0.0.1" }, "http://localhost:7401"],
  [{ host: "localhost" }, "http://127.0.0.1:7401"],
  [{ host: "0.0.0.0", publicUrl: "https://fettle.example" }, undefined],
  [
    { host: "0.0.0.0", publicUrl: "https://fettle.example", widgetUrl: "https://fettle.example:444" },
    undefined,
  ],
  [
    { host: "0.0.0.0", publicUrl: "https://fettle.example", widgetUrl: "https://widgets.example" },
    "https://widgets.example",
  ],
])("with %j widgets are shown from %s", ({ publicUrl, ...given }, widgets) => {
  const config = { port: 7_400, widgetPort: 7_401, ...given, publicUrl: publicUrl && new URL(publicUrl) };
  // Of a configuration it reads the addresses alone.
  expect(widgetOrigins(config as Config)?.widgets).toBe(widgets);
});
