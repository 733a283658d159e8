/** @module What a message asks for, clause by clause, and which messages ask for no tool at all. Pure. */

const mostClauses = 4;

const chatOnly =
  /^(?:(?:hi|hello|hey|thanks?|thank you|thx|ok|okay|bye|goodbye|good (?:morning|evening|night)|great|cool|nice|yes|no|sure|please|so much|very much|there|again)[\s,.!?…]*)+$/i;

/** Questions about the tools, and requests to leave them alone. */
export function asksForNoCall(message: string): boolean {
  const text = message.trim();
  return (
    text === "" ||
    chatOnly.test(text) ||
    /\bwithout using\b|\bexplain (?:how|what|why)\b/i.test(text) ||
    says(text, /\b(?:what|which)\b/i, /\b(?:parameters?|params?|arguments?|inputs?|schema|tools?)\b/i) ||
    says(text, /\bhow does\b/i, /\bwork\b/i) ||
    text.split(/[.!?;]/).some((sentence) => says(sentence, refusal, toCall))
  );
}

const refusal = /\b(?:do not|don['’]t|never|without)\b/i;
const toCall = /\b(?:call|use|run|invoke|execut)(?:e|ing)?\b/i;

/** Whether one comes after the other, however far; reads the text once, where a pattern with both would for each of the first. */
function says(text: string, first: RegExp, then: RegExp): boolean {
  const found = first.exec(text);
  return found !== null && then.test(text.slice(found.index + found[0].length));
}

const weekdays = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
/** `next` joins two requests, but not in "next Friday" or "the next page". */
const joints = new RegExp(
  [
    "\\s*[,;]?\\s*\\b(?:and then|then|after that|afterwards)\\b[,:]?\\s*",
    `(?<=[,;.]\\s*|\\band )\\bnext\\b(?!\\s+(?:${weekdays}|week|month|year|day))[,:]?\\s*`,
    "\\s*;\\s*",
    "(?<=[.!?])\\s+",
    "\\s*\\n\\s*(?:[-*•]|\\d+[.)])?\\s*",
  ].join("|"),
  "i",
);

/** @example clausesOf('Find "a then b"; then read note 3') // ['Find "a then b"', "read note 3"] */
export function clausesOf(message: string): string[] {
  const quotes: string[] = [];
  // Nothing inside quotation marks divides.
  const masked = message.replace(quotedText, (quote) => `\uE000${quotes.push(quote) - 1}\uE000`);
  return masked
    .replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "")
    .split(joints)
    .map((clause) => clause.replace(/\uE000(\d+)\uE000/g, (_, index) => quotes[Number(index)] ?? "").trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .slice(0, mostClauses);
}

/** An apostrophe inside a word opens nothing. */
export const quotedText = /"[^"]*"|“[^“”]*”|«[^«»]*»|`[^`]*`|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}])/gu;
