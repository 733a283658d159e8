import { expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { createOpenStreams } from "./open-streams.ts";

it.each([
  { scope: "session", caps: { perSession: 2, perAccount: 9, perProcess: 9 } },
  { scope: "account", caps: { perSession: 9, perAccount: 2, perProcess: 9 } },
  { scope: "process", caps: { perSession: 9, perAccount: 9, perProcess: 2 } },
])("refuses what is beyond the cap of a $scope, and says what to do", ({ scope, caps }) => {
  const streams = createOpenStreams(caps);
  const holder = { sessionId: "ses_1", userId: newId("user") };
  const leave = streams.enter(holder);
  streams.enter(holder);
  expect(() => streams.enter(holder)).toThrowError(
    expect.objectContaining({
      code: "RATE_LIMITED",
      retryAfter: 30,
      details: { reason: "STREAM_LIMIT", scope, limit: 2, hint: expect.any(String) },
    }),
  );
  leave();
  leave();
  streams.enter(holder);
  expect(streams.count()).toBe(2);
  expect(() => streams.enter(holder)).toThrow();
});
