/** @module What the bytes of an answer show and its headers deny. */
import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bodyProblems } from "./body-problems.ts";

const json = '{"jsonrpc":"2.0","id":1,"result":{}}';
const event = `data: ${json}\n\n`;
const asJson = "application/json";
const asEvents = "text/event-stream";

test.each<[string, string, string | Uint8Array, Record<string, string>, boolean, string | undefined]>([
  ["JSON", asJson, json, {}, true, undefined],
  ["gzip without its label", asJson, gzipSync(json), {}, true, "1f 8b"],
  ["deflate without its label", asJson, deflateSync(json), {}, true, "78 9c"],
  ["gzip with its label", asJson, gzipSync(json), { "content-encoding": "gzip" }, true, undefined],
  ["events", asEvents, event, {}, true, undefined],
  ["JSON labeled as events", asEvents, json, {}, true, '{"jsonrpc"'],
  ["an event without its end", asEvents, `data: ${json}\n`, {}, true, "data: {"],
  ["a comment at the end", asEvents, `${event}: bye\n`, {}, true, undefined],
  ["an event that is still coming", asEvents, `data: ${json}\n`, {}, false, undefined],
  ["fewer bytes than said", asJson, json, { "content-length": "99" }, false, '"result":{}}'],
  ["half a message", asJson, json.slice(0, 20), { "content-length": "99" }, false, undefined],
])("%s", (_, mediaType, body, headers, isWhole, excerpt) => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const [problem] = bodyProblems({ headers, mediaType, bytes, isWhole });
  if (excerpt === undefined) expect(problem).toBeUndefined();
  else expect(problem?.excerpt).toContain(excerpt);
});
