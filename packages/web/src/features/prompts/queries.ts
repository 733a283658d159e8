/** @module A server's prompts, and rendering one. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { liveCall, type ServerAddress, wholeList, withMessages } from "../../api/server-calls.ts";
import { askedFor } from "../../api/servers.ts";
import type { Json } from "../../lib/json-exact.ts";

export type Prompt = Record<string, Json> & { name: string };
export type PromptMessage = Record<string, Json> & { role: string };

export const promptsQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["live", address.projectId, address.serverId, "prompts"],
    queryFn: async ({ signal }) => {
      const list = await wholeList(address, (body) =>
        api.listPrompts({ ...address, body, query: withMessages }, { signal }),
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
    api.getPrompt({ ...address, body: { promptName, arguments: values }, query: withMessages }),
  );
  return { ...answer, messages: answer.messages as PromptMessage[] };
}
