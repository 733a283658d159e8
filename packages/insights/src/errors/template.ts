/**
 * @module An error text without what changes from call to call, so that the same problem reads the same each time. What the
 * server's own contract names (a field, an enum value) stays; what was sent or made up becomes a placeholder. Pure.
 */

/** Words of the pinned contract: property names, enum values, tool names, type names. */
export type Vocabulary = ReadonlySet<string>;

const longest = 2_000;
const templateLength = 200;

/**
 * @example
 * templateOf("Order 8812 not found", new Set()) // "order <n> not found"
 */
export function templateOf(text: string, vocabulary: Vocabulary): string {
  const read = saidInJson(text.slice(0, longest).normalize("NFKC").replace(/\s+/g, " ").trim());
  const masked = [moments, headLine, places, (said: string) => quoted(said, vocabulary)]
    .concat([(said: string) => ids(said, vocabulary), numbers, longTokens])
    .reduce((said, step) => step(said), read);
  return masked
    .toLowerCase()
    .replace(/(<[a-z]+>)(?:\s*[,;]\s*\1)+/g, "$1")
    .replace(/[\s.,;:!?]+$/, "")
    .slice(0, templateLength);
}

const tellingKeys = ["message", "error", "error_description", "detail", "title", "reason", "code"];
const mostLeaves = 3;
const mostLevels = 3;

/** A JSON text is told by the few values that say something. */
function saidInJson(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const leaves = leavesOf(value, mostLevels).slice(0, mostLeaves);
  return leaves.length === 0 ? text : leaves.join(" | ");
}

function leavesOf(value: unknown, levels: number): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null || levels === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, levels - 1));
  const fields = value as Record<string, unknown>;
  return tellingKeys.flatMap((key) => (Object.hasOwn(fields, key) ? leavesOf(fields[key], levels - 1) : []));
}

const date = String.raw`\d{4}-\d{2}-\d{2}`;
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?`;

/** Before positions in files, which look like a time of day. */
function moments(text: string): string {
  return text
    .replace(new RegExp(String.raw`\b${date}[T ]${clock}(?:\s?Z|[+-]\d{2}:?\d{2})?\b`, "g"), "<time>")
    .replace(new RegExp(String.raw`\b${date}\b`, "g"), "<date>")
    .replace(/\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/g, "<date>")
    .replace(/(?<![\w:])\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?![\w:])/g, "<time>");
}

/** What went wrong, without the way there. */
function headLine(text: string): string {
  if (/\bTraceback \(most recent call last\)/.test(text)) {
    const raised = [...text.matchAll(/\b(?:\w+\.)*\w*(?:Error|Exception|Warning)\b(?:: .*?)?(?=$| File ")/g)];
    const last = raised.at(-1)?.[0];
    if (last !== undefined) return last;
  }
  const frame = text.search(/\sat (?:async )?(?:[\w.<>$[\] ]+ )?\(?(?:[\w./\\:@-]+):\d+(?::\d+)?\)?/);
  return frame > 0 ? text.slice(0, frame) : text;
}

function places(text: string): string {
  return text
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]+/gi, "<url>")
    .replace(/\bBearer\s+[\w.~+/-]+=*/gi, "<secret>")
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "<secret>")
    .replace(/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g, "<email>")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>")
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, "<ip>")
    .replace(/\[[0-9a-f:]+:[0-9a-f:]+\](?::\d{1,5})?/gi, "<ip>")
    .replace(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, "<id>")
    .replace(/(?<![\w<])(?:[A-Za-z]:)?(?:[/\\][\w.@-]+){2,}[/\\]?/g, "<path>")
    .replace(/(?<![\w<])[\w.@-]+(?:\/[\w.@-]+){2,}/g, "<path>");
}

/** A quotation mark inside a word is an apostrophe. */
const quotations =
  /"([^"]*)"|`([^`]*)`|(?<!\w)'([^']*)'(?!\w)|[\u201c\u201e]([^\u201c\u201d]*)[\u201c\u201d]/g;

function quoted(text: string, vocabulary: Vocabulary): string {
  return text.replace(quotations, (_, ...groups: (string | undefined)[]) => {
    const content = groups.slice(0, 4).find((group) => group !== undefined) ?? "";
    return vocabulary.has(content) ? `"${content}"` : "<str>";
  });
}

function ids(text: string, vocabulary: Vocabulary): string {
  return text
    .replace(/\b0x[0-9a-f]+\b/gi, "<hex>")
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/gi, "<hex>")
    .replace(/\b[A-Za-z][A-Za-z0-9]*[_-](?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{4,}\b/g, (word) =>
      vocabulary.has(word) ? word : "<id>",
    );
}

const units = "(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|days?|[kmg]i?b|bytes?|%)";
const number = new RegExp(
  String.raw`(?<lead>\b(?:status|http|code|error)\b[\s:=#]*)?(?<![\w<.])(?<value>-?\d[\d.,_]*\d|-?\d)(?:\s?${units}\b|%)?(?![\w>])`,
  "gi",
);

/** A status or an error's code is part of what went wrong. */
function numbers(text: string): string {
  return text.replace(number, (whole, ...rest) => {
    const { lead = "", value } = rest.at(-1) as { lead?: string; value: string };
    return lead !== "" && /^-?\d{3,5}$/.test(value) ? whole : `${lead}<n>`;
  });
}

function longTokens(text: string): string {
  return text.replace(/(?<![\w<])(?=[\w-]*\d)[\w-]{24,}(?![\w>])/g, "<id>");
}
