/** @module Node's network errors in plain words: name not found, refused, reset, TLS, timeout, protocol. */
import { codeOf } from "@fettle/contract/core";
import { McpError } from "../failure.ts";

/** Why TLS failed, by OpenSSL's or Node's code. */
const tlsReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the chain ends in a self-signed certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server does not send its intermediate certificate",
  UNABLE_TO_GET_ISSUER_CERT: "the issuer of the certificate is not known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the issuer of the certificate is not known here",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  CERT_REVOKED: "the certificate was revoked",
  HOSTNAME_MISMATCH: "the certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "the port does not speak TLS",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the port does not speak TLS",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "no common TLS version",
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: "the server refused the handshake",
};

export function networkFailure(error: unknown, url: string): McpError {
  if (error instanceof McpError) return error;
  const cause = error as NodeJS.ErrnoException;
  const systemCode = cause.code ?? innerCode(error) ?? "";
  const host = URL.parse(url)?.host ?? url;
  const details = { url, systemCode };
  if (systemCode === "ENOTFOUND" || systemCode === "EAI_AGAIN" || systemCode === "ENODATA") {
    return new McpError("DNS_FAILED", `The name ${host} does not resolve.`, {
      hint: "Check the spelling of the host name, and that this machine can resolve names.",
      details,
      cause,
    });
  }
  if (systemCode === "ECONNREFUSED") {
    return new McpError("CONNECTION_REFUSED", `Nothing listens at ${host}.`, {
      hint: "Start the server, or check the port.",
      details,
      cause,
    });
  }
  if (systemCode === "ECONNRESET" || systemCode === "EPIPE" || systemCode === "ECONNABORTED") {
    return new McpError("CONNECTION_RESET", `${host} closed the connection before it answered.`, {
      hint: "Look at the server's own log: it may have crashed, or the port may speak another protocol.",
      details,
      cause,
    });
  }
  if (systemCode === "ETIMEDOUT" || systemCode === "ERR_SOCKET_CONNECTION_TIMEOUT") {
    return new McpError("TIMEOUT", `${host} did not accept a connection.`, {
      hint: "The host may be down, or a firewall drops the packets.",
      details: { ...details, phase: "connect" },
      cause,
    });
  }
  const tlsReason = tlsReasonOf(systemCode, cause.message);
  if (tlsReason) {
    return new McpError("TLS_FAILED", `TLS with ${host} failed: ${tlsReason}.`, {
      hint: "Fix the certificate, or check whether the URL should begin with http or https.",
      details: { ...details, reason: tlsReason },
      cause,
    });
  }
  if (systemCode === "HPE_HEADER_OVERFLOW") {
    return new McpError("TOO_LARGE", `${host} sent more response headers than are accepted.`, {
      details,
      cause,
    });
  }
  if (systemCode.startsWith("HPE_") || systemCode.startsWith("ERR_HTTP")) {
    return new McpError("HTTP_PROTOCOL", `${host} does not answer in HTTP (${cause.message}).`, {
      hint: "Check the port, and whether the URL should begin with http or https.",
      details,
      cause,
    });
  }
  return new McpError("NETWORK", `The connection to ${host} failed: ${cause.message}`, { details, cause });
}

function tlsReasonOf(code: string, message: string): string | undefined {
  const known = tlsReasons[code];
  if (known) return known;
  if (/wrong version number|packet length too long|http request/i.test(message))
    return "the port does not speak TLS";
  if (
    code === "EPROTO" ||
    code.startsWith("ERR_SSL") ||
    code.startsWith("ERR_TLS") ||
    code.includes("CERT")
  ) {
    return message;
  }
  return undefined;
}

/** Connecting to several addresses fails with one error for each; the first tells enough. */
function innerCode(error: unknown): string | undefined {
  if (!(error instanceof AggregateError)) return undefined;
  const code = codeOf(error.errors[0]);
  return typeof code === "string" ? code : undefined;
}
