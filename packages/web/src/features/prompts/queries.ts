/** @module A server's prompts, and rendering one. */
import { queryOptions } from "@tanstack/react-query";
import { askedFor, call } from "../../api/operation.ts";
import { liveCall, type ServerAddress, wholeList, withMessages } from "../../api/server-calls.ts";
import type { Json } from "../../lib/json-exact.ts";

export type Prompt = Record<string, Json> & { name: string };
export type PromptMessage = Record<string, Json> & { role: string };

export const promptsQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["listPrompts", address],
    queryFn: async ({ signal }) => {
      const list = await wholeList(address, (body) =>
        call("listPrompts", { ...address, body, query: withMessages }, { signal }),
      );
      return { ...list, items: list.items as Prompt[] };
    },
  });

export async function renderPrompt(
  address: ServerAddress,
  promptName: string,
  values: Record<string, string>,
) {
  const answer = await liveCall(address, () =>
    call("getPrompt", { ...address, body: { promptName, arguments: values }, query: withMessages }),
  );
  return { ...answer, messages: answer.messages as PromptMessage[] };
}
