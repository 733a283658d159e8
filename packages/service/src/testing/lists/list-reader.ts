/** @module Reads lists as their callers do, without a port: the whole way of a request, and what of it went to the database. */

import type { Page } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { operations } from "@fettle/contract/operations";
import { createMetrics } from "../../http/metrics.ts";
import { pathOf } from "../../http/route-table.ts";
import { createServer } from "../../http/server.ts";
import { bindingOf } from "../../start/bindings.ts";
import type { RunningApp } from "../../start/create-app.ts";
import { createRawRoutes } from "../../start/raw-routes.ts";
import type { AskedList } from "./asked-lists.ts";
import type { FilledProject } from "./filled-project.ts";
import { queriesOf, type SentQuery } from "./sent-queries.ts";

interface ReadPage {
  items: number;
  nextCursor: string | undefined;
  queries: SentQuery[];
}

/** Of the statements that find who asks. */
const ofCaller = /\b(key_hash|token_hash|rate_limits)\b/;

export async function listReader(app: RunningApp, { world, projectId }: FilledProject) {
  const metrics = createMetrics();
  const rawRoutes = createRawRoutes({ readiness: { reason: undefined }, metrics, webFolder: undefined });
  const stopping = new AbortController();
  const server = createServer({
    app,
    bindingOf,
    rawRoutes,
    metrics,
    webFolder: undefined,
    stopping: stopping.signal,
    // The rows are no more than what lists are read by.
    checkOutputs: false,
  });
  await server.ready();
  const { organizationId, people } = world;
  const credential = { authorization: `Bearer ${people.owner.key}` };
  const cookie = { cookie: people.owner.cookie, "x-fettle-app": "1" };

  async function read({ operation, params = {}, query = {} }: AskedList, cursor?: string): Promise<ReadPage> {
    const declared = operations[operation];
    const values: Record<string, string> = { projectId, organizationId, ...params };
    const path = pathOf(declared).replaceAll(/\{(\w+)\}/g, (_, name: string) => must(values[name], name));
    const field = operation === "listChatSessions" ? "before" : "cursor";
    const search = new URLSearchParams({ ...query, ...(cursor !== undefined && { [field]: cursor }) });
    let answer: { statusCode: number; payload: string } | undefined;
    const queries = await queriesOf(async () => {
      answer = await server.inject({
        method: "GET",
        url: `${path}?${search}`,
        headers: "surface" in declared && declared.surface === "app" ? cookie : credential,
      });
    });
    const { statusCode, payload } = must(answer, "an answer");
    if (statusCode !== 200) throw new Error(`${operation} ${search}: ${statusCode} ${payload}`);
    const { items = [], nextCursor } = JSON.parse(payload) as Partial<Page<unknown>>;
    return { items: items.length, nextCursor, queries: queries.filter(({ text }) => !ofCaller.test(text)) };
  }
  return { read, close: () => server.close() };
}
