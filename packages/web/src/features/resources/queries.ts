/** @module A server's resources and templates, and reading one. */
import { queryOptions } from "@tanstack/react-query";
import { failureOf } from "../../api/failure.ts";
import { askedFor, call } from "../../api/operation.ts";
import {
  liveCall,
  type ServerAddress,
  type WholeList,
  wholeList,
  withMessages,
} from "../../api/server-calls.ts";
import type { Json } from "../../lib/json-exact.ts";

export type Resource = Record<string, Json> & { uri: string };
export type ResourceTemplate = Record<string, Json> & { uriTemplate: string };
export type ResourceContents = Record<string, Json> & { uri: string };

export const resourcesQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["listResources", address],
    queryFn: async ({ signal }) => {
      const resources = await wholeList(address, (body) =>
        call("listResources", { ...address, body, query: withMessages }, { signal }),
      );
      const templates = await wholeList(address, (body) =>
        call("listResourceTemplates", { ...address, body, query: withMessages }, { signal }),
      ).catch(noneWhenUnsupported);
      return {
        resources: resources.items as Resource[],
        templates: templates.items as ResourceTemplate[],
        malformed: [...resources.malformed, ...templates.malformed],
        cut: resources.cut || templates.cut,
      };
    },
  });

/** Servers with resources but no templates are common, and not at fault. */
function noneWhenUnsupported(error: unknown): WholeList<never> {
  if (failureOf(error).code !== "FEATURE_NOT_SUPPORTED") throw error;
  return { items: [], malformed: [], cut: false };
}

export async function readResource(address: ServerAddress, uri: string) {
  const answer = await liveCall(address, () =>
    call("readResource", { ...address, body: { uri }, query: withMessages }),
  );
  return answer.contents as ResourceContents[];
}
