import { expect, test } from "vitest";
import { answerElicitation } from "./elicitation.ts";

test("a field of any name comes back under that name, __proto__ included", async () => {
  const requestedSchema = JSON.parse(
    '{"properties":{"__proto__":{"type":"string"},"other":{"type":"string"}}}',
  );
  const said = ["yes"];
  const terminal = {
    say() {},
    ask: async () => said.shift(),
    askFor: async (_question: unknown, read: (typed: string) => unknown) => read("given"),
    close() {},
  };
  const answer = await answerElicitation(terminal as never, { message: "?", requestedSchema });
  expect(JSON.stringify(answer)).toBe('{"action":"accept","content":{"__proto__":"given","other":"given"}}');
});
