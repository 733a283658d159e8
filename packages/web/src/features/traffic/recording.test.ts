import { expect, test } from "vitest";
import type { TrafficEntry } from "../../api/traffic.ts";
import { readRecording, recordingOf } from "./recording.ts";

const entries: TrafficEntry[] = [
  {
    kind: "message",
    at: 1,
    direction: "send",
    message: { id: 1, method: "ping" },
    connection: "a",
    sequence: 7,
  },
  { kind: "stderr", at: 2, text: "up", connection: "a", sequence: 8 },
];

test("what was saved is read again, with keys of its own", () => {
  const read = readRecording(JSON.stringify(recordingOf("Shop", entries)));
  expect(read).toMatchObject({
    server: "Shop",
    entries: [
      { at: 1, sequence: 0 },
      { text: "up", sequence: 1 },
    ],
  });
});

test.each([
  ["{", /not JSON/],
  ["[]", /not a recording/],
  ['{"log":{"entries":[]}}', /not a recording/],
  ['{"fettle":"recording","version":2}', /newer/],
  ['{"fettle":"recording","version":1,"server":"a","savedAt":1}', /missing/],
  [
    '{"fettle":"recording","version":1,"server":"a","savedAt":1,"entries":[{"kind":"http"}]}',
    /cannot be read/,
  ],
])("%s is refused with the reason", (text, reason) => {
  expect(readRecording(text)).toEqual({ fault: expect.stringMatching(reason) });
});
