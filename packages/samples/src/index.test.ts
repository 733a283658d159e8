import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("importing the samples loads no library, least of all the MCP SDK", async () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
    console.log(JSON.stringify(loaded));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded.some((url) => url.endsWith("/samples/src/index.ts"))).toBe(true);
  expect(loaded.filter((url) => url.includes("/node_modules/"))).toEqual([]);
});
