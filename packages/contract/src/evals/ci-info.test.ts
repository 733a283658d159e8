import { expect, test } from "vitest";
import { limits } from "../core/limits/limits.ts";
import { CiInfo } from "./run.ts";

const { addressLength } = limits.text;
const long = "x".repeat(addressLength + 1);

test.each([
  [{}, true],
  [{ branch: "x".repeat(addressLength), provider: "github" }, true],
  [{ branch: long }, false],
  [{ provider: "github", branch: long }, false],
  [{ commitSha: " " }, false],
])("where code comes from may be told in texts that fit an address", (given, fits) => {
  expect(CiInfo.safeParse(given).success).toBe(fits);
});
