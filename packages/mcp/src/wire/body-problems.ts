/** @module What the bytes of an answer show and its headers deny: compressed, of another type, shorter than said, cut inside an event. Pure. */
import { excerptOf, looksLikeMessage } from "../messages/jsonrpc.ts";
import { type WireProblem, wireProblem } from "./wire-problem.ts";

export interface SeenBody {
  /** Names in lower case. */
  headers: Record<string, string>;
  mediaType: string;
  /** What came of it, or its beginning and its end. */
  bytes: Uint8Array;
  /** The server ended it; otherwise it broke off, or was not waited for. */
  isWhole: boolean;
}

/** How compressed bytes begin. */
const beginnings: readonly [encoding: string, ...bytes: number[]][] = [
  ["gzip", 0x1f, 0x8b],
  ["zstd", 0x28, 0xb5, 0x2f, 0xfd],
  ["deflate", 0x78, 0x9c],
  ["deflate", 0x78, 0xda],
];

export function bodyProblems({ headers, mediaType, bytes, isWhole }: SeenBody): WireProblem[] {
  if (bytes.length === 0 || headers["content-encoding"] !== undefined) return [];
  const compressed = beginnings.find(([, ...start]) => start.every((byte, at) => bytes[at] === byte));
  if (compressed) {
    const excerpt = Buffer.from(bytes.subarray(0, 16))
      .toString("hex")
      .replace(/..(?=.)/g, "$& ");
    return [{ ...wireProblem("COMPRESSED_UNLABELED", compressed[0]), excerpt }];
  }
  const text = Buffer.from(bytes).toString("utf8");
  if (mediaType === "text/event-stream") return isWhole ? streamProblems(text) : [];
  const said = Number(headers["content-length"]);
  if (!isWhole && said > bytes.length && isJson(text)) {
    const problem = wireProblem("CONTENT_LENGTH_TOO_LONG", said, bytes.length);
    return [{ ...problem, excerpt: `…${text.slice(-60)}` }];
  }
  return [];
}

function streamProblems(text: string): WireProblem[] {
  if (looksLikeMessage(text) && isJson(text))
    return [{ ...wireProblem("JSON_AS_EVENT_STREAM"), excerpt: excerptOf(text) }];
  const rest = text.split(/\r\n\r\n|\n\n|\r\r/).at(-1) ?? "";
  return /^data:/m.test(rest) ? [{ ...wireProblem("EVENT_NOT_ENDED"), excerpt: excerptOf(rest) }] : [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of a stream, enough to see how it ended, and of a short one also how it began. */
const keptBytes = 64 * 1024;

export function keepEnd(): { push(chunk: Uint8Array): void; bytes(): Uint8Array } {
  const kept: Uint8Array[] = [];
  let size = 0;
  return {
    push(chunk) {
      kept.push(chunk);
      size += chunk.length;
      while (size > keptBytes && kept.length > 1) size -= kept.shift()?.length ?? 0;
    },
    bytes: () => Buffer.concat(kept),
  };
}
