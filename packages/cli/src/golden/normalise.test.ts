import { expect, test } from "vitest";
import { normaliser } from "./normalise.ts";

test("what is random is named as such, though a part of it looks like an id", () => {
  const named = normaliser({ home: "/home/me", cwd: "/tmp/here", names: {} });
  const random = `a-lf_${"0123456789ABCDEF".repeat(3).slice(0, 38)}`;
  expect(named(`?state=${random}&x=1 ${random} srv_01m7tpv2ggesbe91kh6v59bc6b`)).toBe(
    "?state=<random>&x=1 <random> <srv_1>",
  );
});
