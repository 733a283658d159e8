import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("importing the package loads no provider's package", () => {
  const entry = join(import.meta.dirname, "..", "index.ts");
  const script = `
    import { registerHooks } from "node:module";
    const seen = new Set();
    registerHooks({ resolve: (name, context, next) => { seen.add(name); return next(name, context); } });
    const { createModelSource, readModelConfiguration } = await import(${JSON.stringify(entry)});
    createModelSource(readModelConfiguration(undefined, { OPENAI_API_KEY: "sk-some-key" })).open("openai/gpt-5");
    console.log(JSON.stringify([...seen].filter((name) => /ai-sdk|undici/.test(name))));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual([]);
});
