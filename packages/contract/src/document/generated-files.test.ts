import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { generatedFiles } from "./generated-files.ts";

const folder = new URL("../../generated/", import.meta.url);

it.each(Object.entries(generatedFiles()))(
  "has %s as `npm run generate` would write it now",
  (name, content) => {
    expect(readFileSync(new URL(name, folder), "utf8")).toBe(content);
  },
);

it("keeps nothing in generated/ that is no longer made", () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(generatedFiles()).sort());
});
