/** @module What a request tells of the device in front of a visitor: coarse enough to be nobody's. Pure. */
import type { IncomingHttpHeaders } from "node:http";

/**
 * @example
 * deviceOf({ "user-agent": "… iPhone …", "accept-language": "de-DE,de;q=0.9" }); // { deviceKind: "phone", language: "de" }
 */
export function deviceOf(headers: IncomingHttpHeaders): {
  deviceKind: string | null;
  language: string | null;
} {
  const agent = headers["user-agent"];
  const [language] = /^[a-z]{2,3}\b/i.exec(headers["accept-language"] ?? "") ?? [];
  return {
    deviceKind: agent === undefined ? null : kindOf(agent),
    language: language?.toLowerCase() ?? null,
  };
}

function kindOf(agent: string): string {
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(agent)) return "tablet";
  return /iPhone|Mobi/i.test(agent) ? "phone" : "computer";
}
