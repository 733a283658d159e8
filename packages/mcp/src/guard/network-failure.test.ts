/** @module What of Node's network errors people are told, whatever the machine: code, words, and the facts. */
import { expect, test } from "vitest";
import { McpError } from "../failure.ts";
import { networkFailure } from "./network-failure.ts";

const url = "https://shop.example:8443/mcp";
const failed = (code: string, message = "it broke") => Object.assign(new Error(message), { code });

test.each<[systemCode: string, code: string, words: string, facts?: object]>([
  ["ENOTFOUND", "DNS_FAILED", "The name shop.example:8443 does not resolve."],
  ["EAI_AGAIN", "DNS_FAILED", "The name shop.example:8443 does not resolve."],
  ["ENODATA", "DNS_FAILED", "The name shop.example:8443 does not resolve."],
  ["ECONNREFUSED", "CONNECTION_REFUSED", "Nothing listens at shop.example:8443."],
  ["ECONNRESET", "CONNECTION_RESET", "shop.example:8443 closed the connection before it answered."],
  ["EPIPE", "CONNECTION_RESET", "shop.example:8443 closed the connection before it answered."],
  ["ECONNABORTED", "CONNECTION_RESET", "shop.example:8443 closed the connection before it answered."],
  ["ETIMEDOUT", "TIMEOUT", "shop.example:8443 did not accept a connection.", { phase: "connect" }],
  [
    "ERR_SOCKET_CONNECTION_TIMEOUT",
    "TIMEOUT",
    "shop.example:8443 did not accept a connection.",
    { phase: "connect" },
  ],
  [
    "CERT_HAS_EXPIRED",
    "TLS_FAILED",
    "TLS with shop.example:8443 failed: the certificate has expired.",
    { reason: "the certificate has expired" },
  ],
  ["EPROTO", "TLS_FAILED", "TLS with shop.example:8443 failed: it broke.", { reason: "it broke" }],
  ["ERR_SSL_OTHER", "TLS_FAILED", "TLS with shop.example:8443 failed: it broke.", { reason: "it broke" }],
  ["ERR_TLS_OTHER", "TLS_FAILED", "TLS with shop.example:8443 failed: it broke.", { reason: "it broke" }],
  ["NEW_CERT_FAULT", "TLS_FAILED", "TLS with shop.example:8443 failed: it broke.", { reason: "it broke" }],
  ["HPE_HEADER_OVERFLOW", "TOO_LARGE", "shop.example:8443 sent more response headers than are accepted."],
  ["HPE_INVALID_CONSTANT", "HTTP_PROTOCOL", "shop.example:8443 does not answer in HTTP (it broke)."],
  ["ERR_HTTP_OTHER", "HTTP_PROTOCOL", "shop.example:8443 does not answer in HTTP (it broke)."],
  ["EHOSTUNREACH", "NETWORK", "The connection to shop.example:8443 failed: it broke"],
])("%s is told as %s", (systemCode, code, words, facts = {}) => {
  const cause = failed(systemCode);
  const failure = networkFailure(cause, url);
  expect(failure).toMatchObject({ code, message: words });
  expect(failure.cause).toBe(cause);
  expect(failure.details).toEqual({ url, systemCode, ...facts });
});

test("a port that does not speak TLS is told by the words of OpenSSL, too", () => {
  const failure = networkFailure(failed("ESOMETHING", "ssl3_get_record: wrong version number"), url);
  expect(failure).toMatchObject({
    code: "TLS_FAILED",
    details: { url, reason: "the port does not speak TLS" },
  });
});

test("of several addresses that were tried the first tells why", () => {
  const both = new AggregateError([failed("ECONNREFUSED"), failed("ETIMEDOUT")]);
  expect(networkFailure(both, url).code).toBe("CONNECTION_REFUSED");
  expect(networkFailure(new AggregateError([]), url).code).toBe("NETWORK");
});

test("what has its own code already keeps it, and a text that is no address is shown as it is", () => {
  const own = new McpError("BLOCKED_ADDRESS", "Not there.");
  expect(networkFailure(own, url)).toBe(own);
  expect(networkFailure(failed("ECONNREFUSED"), "nowhere").message).toBe("Nothing listens at nowhere.");
});
