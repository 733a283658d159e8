/** @module A server's tools, as it lists them. */
import { queryOptions } from "@tanstack/react-query";
import type { Json, JsonObject } from "../lib/json-exact.ts";
import { askedFor } from "./operation.ts";
import { askServer } from "./server-asks.ts";
import { type LivePage, type ServerAddress, wholeList } from "./server-calls.ts";

/** As the server sent it; only the name and the input schema are certain. */
export type Tool = Record<string, Json> & { name: string; inputSchema: JsonObject };

export const toolsQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["listTools", address],
    queryFn: ({ signal }) =>
      wholeList((input) => askServer<LivePage<Tool>>(address, { name: "listTools", input }, { signal })),
  });
