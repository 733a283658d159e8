import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, testService } from "../testing/service.ts";

/** What a build of the web app looks like, in small. */
const site = {
  contentSecurityPolicy: "default-src 'none'; script-src 'self'",
  documents: [
    { file: "bare.html", paths: ["/login"] },
    { file: "index.html", paths: ["/", "/p/$pid", "/p/$pid/servers"] },
  ],
  cookies: [
    { name: "fettle_theme", find: 'data-theme="system"', replace: 'data-theme="$value"', values: ["dark"] },
  ],
  immutable: "/assets/",
  localPages: ["servers"],
};

/** Long enough to be worth packing. */
const script = "export {};\n".repeat(1_000);

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-web-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "site.json"), JSON.stringify(site));
  await writeFile(join(folder, "index.html"), '<html data-theme="system">app</html>');
  await writeFile(join(folder, "bare.html"), '<html data-theme="system">bare</html>');
  // The build keeps scripts in this form alone.
  await writeFile(join(folder, "assets", "main-abc123.js.br"), brotliCompressSync(script));
  await writeFile(join(folder, "favicon.svg"), "<svg/>");
  service = await testService({ webFolder: folder });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

describe("the web app's files", () => {
  it("answers each path with its document, under the build's own policy", async () => {
    for (const [path, text] of [
      ["/", "app"],
      ["/p/proj_1", "app"],
      ["/p/proj_1/servers?x=1", "app"],
      ["/login", "bare"],
    ]) {
      const { status, headers, body } = await service.call(path!);
      expect([path, status, headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"]);
      expect(body).toContain(text);
      expect(headers.get("content-security-policy")).toBe(site.contentSecurityPolicy);
      expect(headers.get("cache-control")).toBe("no-cache");
    }
  });

  it("writes the theme of the cookie into the page, and nothing a cookie could make up", async () => {
    const page = async (cookie: string) => (await service.call("/", { headers: { cookie } })).body;
    expect(await page("a=b; fettle_theme=dark")).toContain('data-theme="dark"');
    expect(await page('fettle_theme="><script>')).toContain('data-theme="system"');
  });

  it("shows its own page for an unknown path, with status 404", async () => {
    const { status, body } = await service.call("/p/proj_1/unknown");
    expect([status, body]).toEqual([404, '<html data-theme="system">app</html>']);
  });

  it("lets files with a hash in their name be kept for ever, and others be asked for again", async () => {
    const hashed = await service.call("/assets/main-abc123.js");
    expect(hashed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(hashed.headers.get("content-type")).toContain("javascript");
    expect((await service.call("/favicon.svg")).headers.get("cache-control")).toBe("public, max-age=0");
  });

  it("sends a part of a file as it is, whatever the browser could unpack", async () => {
    const headers = { range: "bytes=0-3", "accept-encoding": "gzip" };
    const part = await service.call("/favicon.svg", { headers });
    expect([part.status, part.body, part.headers.get("content-encoding")]).toEqual([206, "<svg", null]);
  });

  it("sends a script packed, whichever packing the browser knows", async () => {
    for (const encoding of ["br", "gzip"]) {
      const { status, headers, body } = await service.call("/assets/main-abc123.js", {
        headers: { "accept-encoding": encoding },
      });
      expect([status, headers.get("content-encoding"), headers.get("vary"), body]).toEqual([
        200,
        encoding,
        "accept-encoding",
        script,
      ]);
    }
    const plain = await service.call("/assets/main-abc123.js", {
      headers: { "accept-encoding": "identity" },
    });
    expect([plain.headers.get("content-encoding"), plain.body]).toEqual([null, script]);
  });

  it("leads nowhere outside the build", async () => {
    for (const path of ["/assets/..%2f..%2fetc/passwd", "/..%2fsite.json", "/site.json", "/index.html"]) {
      const { status, body } = await service.call(path);
      expect([path, status, body.includes("app")]).toEqual([path, 404, true]);
    }
  });

  it("still answers data in JSON, never with a page", async () => {
    for (const path of ["/api/v1/nowhere", "/app/nowhere", "/api"]) {
      const { status, body } = await service.call(path);
      expect([path, status, body.code]).toEqual([path, 401, "UNAUTHORIZED"]);
    }
  });
});
