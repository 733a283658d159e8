/** @module Pictures of widgets where there is no browser, and flags that make no sense. */
import { startCafe } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

const nowhere = { CHROME_PATH: "/nowhere/chrome" };

test("without a browser the result is told all the same, with what to install", async () => {
  const cafe = await startCafe();
  onTestFinished(() => cafe.close());
  const { fettle } = await testWorld({ env: nowhere });
  const argv = ["apps", "render", "--url", cafe.url, "--tool-name", "show_menu", "--format", "json"];
  const { stdout, exitCode } = await fettle(...argv);
  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    result: { content: expect.anything() },
    render: { status: "browser_unavailable", hint: expect.stringContaining("CHROME_PATH") },
  });
  expect(exitCode).toBe(0);
  expect((await fettle(...argv, "--require-render")).exitCode).toBe(1);
  expect((await fettle(...argv, "--screenshot-out", "menu.png")).exitCode).toBe(1);
});

test("where nobody can show them, whether widgets begin is left open", async () => {
  const cafe = await startCafe();
  onTestFinished(() => cafe.close());
  const { fettle } = await testWorld({ env: nowhere });
  const { stdout, exitCode } = await fettle("apps", "conformance", "--url", cafe.url, "--boot");
  expect(JSON.parse(stdout).outcome).toBe("incomplete");
  expect(JSON.parse(stdout).checks.at(-1)).toMatchObject({
    id: "ui-widget-boots",
    skipReason: "could-not-run",
    error: { message: expect.stringContaining("There is no program at /nowhere/chrome.") },
  });
  expect(exitCode).toBe(3);
});

test.each([
  [["--viewport", "wide"], "--viewport"],
  [["--viewport", "10x10"], "--viewport"],
  [["--time-zone", "Nowhere/At"], "--time-zone"],
  [["--tool-args", "{}", "--tool-args-stdin"], "--tool-args-stdin"],
])("%j is refused before anything is asked", async (flags, said) => {
  const { fettle } = await testWorld();
  const argv = ["apps", "render", "--url", "http://127.0.0.1:9/mcp", "--tool-name", "show", ...flags];
  const { exitCode, stderr } = await fettle(...argv);
  expect([exitCode, stderr.includes(said)]).toEqual([2, true]);
});
