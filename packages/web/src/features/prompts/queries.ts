/** @module A server's prompts, and rendering one. */
import { queryOptions } from "@tanstack/react-query";
import { askedFor } from "../../api/operation.ts";
import { askServer } from "../../api/server-asks.ts";
import { type LivePage, type ServerAddress, wholeList } from "../../api/server-calls.ts";
import type { Json } from "../../lib/json-exact.ts";

export type Prompt = Record<string, Json> & { name: string };
export type PromptMessage = Record<string, Json> & { role: string };

export const promptsQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["listPrompts", address],
    queryFn: ({ signal }) =>
      wholeList((input) => askServer<LivePage<Prompt>>(address, { name: "listPrompts", input }, { signal })),
  });

export function renderPrompt(address: ServerAddress, promptName: string, values: Record<string, string>) {
  return askServer<{ messages: PromptMessage[] }>(address, {
    name: "getPrompt",
    input: { promptName, arguments: values },
  });
}
