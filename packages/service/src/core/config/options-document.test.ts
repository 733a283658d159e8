import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withOptionTable } from "./options-document.ts";

test("docs/self-hosting.md lists every option as it is (npm run generate)", () => {
  const document = readFileSync(
    join(import.meta.dirname, "..", "..", "..", "..", "..", "docs", "self-hosting.md"),
    "utf8",
  );
  expect(withOptionTable(document)).toBe(document);
});
