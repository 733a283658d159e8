import { expect, test } from "vitest";
import { sendWithInput } from "./input-required.ts";

test("a question under any key is answered under that key, __proto__ included", async () => {
  const request = { method: "elicitation/create", params: {} };
  const asked = JSON.parse(
    `{"resultType":"input_required","inputRequests":{"__proto__":${JSON.stringify(request)}}}`,
  );
  const sent: unknown[] = [];
  const answers = [asked, { content: [] }];
  await sendWithInput("tools/call", {
    maxRounds: 2,
    answer: async () => ({ action: "accept" }),
    send: async (extra) => {
      sent.push(extra);
      return answers.shift();
    },
  });
  expect(JSON.stringify(sent)).toBe('[{},{"inputResponses":{"__proto__":{"action":"accept"}}}]');
});
