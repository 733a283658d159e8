import { expect, test } from "vitest";
import { parseFlagValue } from "../program/flag-value.ts";
import { retryFlags } from "../program/shared-flags.ts";
import { isPassingNetworkFault, isPassingStatus, retryPolicy } from "./retries.ts";

test("retries are off unless asked for, and wait three seconds unless said", () => {
  expect(retryPolicy({})).toEqual({ retries: 0, delayMs: 3000 });
  expect(retryPolicy({ retries: 2, retryDelayMs: 0 })).toEqual({ retries: 2, delayMs: 0 });
});

test("counts and delays are whole numbers from 0", () => {
  expect(parseFlagValue("retries", retryFlags.retries, "0")).toBe(0);
  expect(() => parseFlagValue("retries", retryFlags.retries, "-1")).toThrow("--retries takes a whole number");
  expect(() => parseFlagValue("retry-delay-ms", retryFlags["retry-delay-ms"], "1.5")).toThrow(
    "--retry-delay-ms",
  );
});

test("a delay without retries is a usage error", () => {
  expect(() => retryPolicy({ retryDelayMs: 10 })).toThrow(expect.objectContaining({ code: "USAGE_ERROR" }));
  expect(() => retryPolicy({ retries: 0, retryDelayMs: 10 })).toThrow("--retries");
});

test("only faults that pass are worth another try", () => {
  expect([408, 425, 429, 500, 502, 503, 504].filter((status) => !isPassingStatus(status))).toEqual([]);
  expect([200, 301, 400, 401, 403, 404, 409, 422, 501].filter(isPassingStatus)).toEqual([]);
  expect([isPassingNetworkFault("ECONNRESET"), isPassingNetworkFault("CERT_HAS_EXPIRED")]).toEqual([
    true,
    false,
  ]);
});
