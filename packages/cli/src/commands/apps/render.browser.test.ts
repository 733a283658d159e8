/** @module Widgets drawn without a window, by a real browser: what is told of them, and that nothing of it stays. */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { describe, expect, onTestFinished, test } from "vitest";
import { begin, startWidgetServer } from "../../testing/widget-server.ts";
import { testWorld } from "../../testing/world.ts";

/** The tests' own browser, and time enough on a busy machine. */
const world = () =>
  testWorld({ env: { PATH: process.env.PATH ?? "", CHROME_PATH: process.env.CHROMIUM_PATH ?? "" } });
const patient = ["--timeout", "120000"];

const leftBehind = () => readdirSync(tmpdir()).filter((name) => /^fettle-(browser|render)-/.test(name));
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

async function render(url: string, ...flags: string[]) {
  const { fettle, cwd } = await world();
  const argv = ["apps", "render", "--url", url, ...patient, "--format", "json", ...flags];
  const { stdout, stderr, exitCode } = await fettle(...argv);
  expect(stdout, stderr).not.toBe("");
  return { value: JSON.parse(stdout), cwd, exitCode };
}

test("a picture of a widget, on a phone in the dark, in full screen; its own folders are gone", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const flags = ["--tool-name", "show_bookshelf", "--screenshot-out", "shelf.png", "--require-render"];
  const place = ["--device", "mobile", "--theme", "dark", "--display-mode", "fullscreen"];
  const before = leftBehind();
  const { value, cwd, exitCode } = await render(bookshop.url, ...flags, ...place);
  expect(value.render).toMatchObject({ status: "rendered", displayMode: "fullscreen", troubles: [] });
  expect([value.success, exitCode]).toEqual([true, 0]);
  expect(sizeOf(readFileSync(join(cwd, "shelf.png")))).toEqual([430, 932]);
  expect(leftBehind().filter((name) => !before.includes(name))).toEqual([]);
});

describe("what became of a widget", () => {
  test.each<[string, string, object, number]>([
    [
      "that works is rendered, in the language and zone that were said",
      `<p id="p"></p><script>p.textContent = navigator.language; console.error([navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia("(prefers-color-scheme: dark)").matches].join(" ")); ${begin}</script>`,
      { status: "rendered", troubles: [{ kind: "console", text: "ja-JP Asia/Tokyo true" }] },
      0,
    ],
    [
      "that fails before it begins is an error of its own",
      `<script>throw new Error("no shelf");</script>`,
      { status: "render_error", message: expect.stringContaining("no shelf") },
      1,
    ],
    [
      "that asks something before it has begun is answered once it has, and waited for",
      `<p>Early</p><script>addEventListener("message", ({ data }) => { if (data.id === 2) console.error(Object.keys(data.result).join()); }); parent.postMessage({ jsonrpc: "2.0", id: 2, method: "resources/list", params: {} }, "*"); ${begin}</script>`,
      { status: "rendered", troubles: [{ kind: "console", text: expect.stringContaining("resources") }] },
      0,
    ],
    ["that shows nothing is blank", `<script>${begin}</script>`, { status: "blank_screenshot" }, 1],
  ])("%s", async (_what, body, told, exitCode) => {
    await using server = await startWidgetServer(body);
    const place = ["--theme", "dark", "--locale", "ja-JP", "--time-zone", "Asia/Tokyo"];
    const rendered = await render(server.url, "--tool-name", "show", "--require-render", ...place);
    expect(rendered.value.render).toMatchObject(told);
    expect(rendered.exitCode).toBe(exitCode);
    expect(server.counted.calls).toBe(1);
  });
});

describe("apps conformance --boot", () => {
  const boot = ["--boot", "--check-id", "ui-widget-boots", ...patient];
  test.each<[string, string, object, number]>([
    ["a widget that begins passes", `<p>Here</p><script>${begin}</script>`, { status: "passed" }, 0],
    [
      "one that fails before does not",
      `<script>throw new Error("no shelf");</script>`,
      { status: "failed", error: { message: expect.stringContaining("no shelf") } },
      1,
    ],
  ])("%s, and no tool is called", async (_what, body, told, code) => {
    await using server = await startWidgetServer(body);
    const { fettle } = await world();
    const { stdout, exitCode } = await fettle("apps", "conformance", "--url", server.url, ...boot);
    expect(JSON.parse(stdout).checks).toMatchObject([{ id: "ui-widget-boots", ...told }]);
    expect([exitCode, server.counted.calls]).toEqual([code, 0]);
  });
});
