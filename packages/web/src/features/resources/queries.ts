/** @module A server's resources and templates, and reading one. */
import { queryOptions } from "@tanstack/react-query";
import { failureOf } from "../../api/failure.ts";
import { askedFor } from "../../api/operation.ts";
import { askServer } from "../../api/server-asks.ts";
import { type LivePage, type ServerAddress, type WholeList, wholeList } from "../../api/server-calls.ts";
import type { Json } from "../../lib/json-exact.ts";

export type Resource = Record<string, Json> & { uri: string };
export type ResourceTemplate = Record<string, Json> & { uriTemplate: string };
export type ResourceContents = Record<string, Json> & { uri: string };

export const resourcesQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["listResources", address],
    queryFn: async ({ signal }) => {
      const resources = await wholeList((input) =>
        askServer<LivePage<Resource>>(address, { name: "listResources", input }, { signal }),
      );
      const templates = await wholeList((input) =>
        askServer<LivePage<ResourceTemplate>>(address, { name: "listResourceTemplates", input }, { signal }),
      ).catch(noneWhenUnsupported);
      return {
        resources: resources.items,
        templates: templates.items,
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

/** Read anew whenever it is chosen: what it holds may be another by then. */
export const readingQuery = (address: ServerAddress, uri: string) =>
  queryOptions({
    ...askedFor,
    gcTime: 0,
    queryKey: ["readResource", { ...address, uri }],
    queryFn: async ({ signal }) => {
      const asked = { name: "readResource" as const, input: { uri } };
      const { contents } = await askServer<{ contents: ResourceContents[] }>(address, asked, { signal });
      return contents;
    },
  });
