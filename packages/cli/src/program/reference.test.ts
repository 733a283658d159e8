import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tree } from "../commands/index.ts";
import { checkReference } from "../conformance/check-reference.ts";
import { commandReference } from "./reference.ts";

test("docs/cli.md says what the registry says; `npm run generate` writes it", async () => {
  const committed = await readFile(join(import.meta.dirname, "../../../../docs/cli.md"), "utf8");
  expect(committed).toBe(commandReference(tree));
});

test("docs/conformance-checks.md says what the checks say; `npm run generate` writes it", async () => {
  const committed = await readFile(
    join(import.meta.dirname, "../../../../docs/conformance-checks.md"),
    "utf8",
  );
  expect(committed).toBe(checkReference());
});
