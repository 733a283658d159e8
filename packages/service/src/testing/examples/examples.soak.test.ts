import { join } from "node:path";
import { expect, test } from "vitest";
import { recordExamples } from "./record.ts";
import { hasCurl, tryExamples } from "./tried.ts";

const folder = join(import.meta.dirname, "../../../../contract/examples");

test("the recorded examples are what the service answers on the sample project", async () => {
  const problems: string[] = [];
  const files = await recordExamples((line) => problems.push(line));
  for (const [name, content] of Object.entries(files))
    await expect.soft(content).toMatchFileSnapshot(join(folder, name));
  expect(problems).toEqual([]);
});

test.skipIf(!hasCurl)("every call of the API reference and the docs works when pasted", async () => {
  const { tried, wrong } = await tryExamples(() => true);
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(230);
});
