import { expect, test } from "vitest";
import { isPassingNetworkFault, isPassingStatus, retryPolicy } from "./retries.ts";

test("retries are off unless asked for, and wait three seconds unless said", () => {
  expect(retryPolicy({})).toEqual({ retries: 0, delayMs: 3000 });
  expect(retryPolicy({ retries: 2, retryDelayMs: 0 })).toEqual({ retries: 2, delayMs: 0 });
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
