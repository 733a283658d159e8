/** @module Shapes of credentials that belong in no answer and in no report. */
import { redactedText, redactText } from "./redact.ts";

export const secretPatterns = [
  "sk-[A-Za-z0-9_-]{20,}",
  "gh[pousr]_[A-Za-z0-9]{30,}",
  "AKIA[0-9A-Z]{16}",
  "xox[abprs]-[A-Za-z0-9-]{10,}",
  "eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}",
  "-----BEGIN [A-Z ]*PRIVATE KEY-----",
];

/** The beginning of a key is told by its first line; what belongs to it goes with it. */
const shapes = new RegExp(
  `${secretPatterns.join("|")}(?:[A-Za-z0-9+/=\\s]+-----END [A-Z ]*PRIVATE KEY-----)?`,
  "g",
);

export function withoutCredentials(text: string): string {
  return redactText(text.replace(shapes, redactedText));
}
