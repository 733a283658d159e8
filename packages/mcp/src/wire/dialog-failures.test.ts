import { expect, test } from "vitest";
import { McpError } from "../failure.ts";
import { timeoutKnowing } from "./dialog-failures.ts";

test.each([
  [1, /^1 ms is little time for a connection; allow more with --timeout\.$/],
  [30_000, /firewall/],
])("a connection that is not made in %i ms has the likeliest reason", (timeoutMs, hint) => {
  const failure = new McpError("TIMEOUT", "Late.", { details: { timeoutMs } });
  const known = { method: "initialize", streamSilent: false, isConnecting: true };
  expect(timeoutKnowing(failure, known, []).hint).toMatch(hint);
});
