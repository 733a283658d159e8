/** @module An HTTP answer for eyes: its status, its headers, its body. */
import { facts } from "../../output/table.ts";
import { block, lines, style, type Text, text } from "../../output/text.ts";
import type { ProxiedAnswer } from "./proxied-request.ts";

export function answerText(
  { status, statusText, headers, body, finalUrl }: ProxiedAnswer["shown"],
  more: readonly (readonly [string, string])[] = [],
): Text {
  const colour = status < 400 ? style.green : style.red;
  const content = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  return lines([
    text`${colour(`${status} ${statusText}`)} ${finalUrl}`,
    facts([...more, ...Object.entries(headers)]),
    ...(content === "" ? [] : ["", block(content)]),
  ]);
}
