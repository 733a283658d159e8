import { expect, test } from "vitest";
import type { AttendedMessage } from "../../api/chat-stream.ts";
import { emptyTurn } from "../../kit/chat/turns.ts";
import { conversationOf, follow, sendMessage } from "./conversations.ts";

test("a message that got lost stays to be sent again when a page still holds an earlier turn for running", async () => {
  const sessionId = "cht_1";
  const store = conversationOf(sessionId);
  const kept = { ...emptyTurn("hello"), turnId: "ctn_1", promptIndex: 0, isRunning: false };
  store.set({ turns: [kept], hasEarlier: false, failure: null, live: null });
  const body = { sessionId, message: "are you there", idempotencyKey: "again" } as AttendedMessage;
  // There is no service here for it to arrive at.
  await sendMessage(sessionId, "prj_1", body);
  await follow(sessionId, "ctn_1", undefined);
  expect(store.get()).toMatchObject({
    turns: [kept],
    live: { body, shown: { message: "are you there", isRunning: false }, failure: expect.any(Error) },
  });
});
