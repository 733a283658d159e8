/** @module Starts operations twenty times at the same moment on one parent. What is sent is what the access matrix sends. */
import type { OperationDeclaration } from "@fettle/contract";
import { contentionMessage } from "../../db/contention.ts";
import { pathOf } from "../../http/route-table.ts";
import type { Log } from "../../log/log.ts";
import { type OperationInput, operationInputs } from "../operation-inputs.ts";
import type { TestService } from "../service.ts";
import { silentLog } from "../silent-log.ts";
import { makeWorld } from "../world.ts";

const atOnce = 20;

const inputOf = ({ id }: OperationDeclaration): OperationInput =>
  (operationInputs as Record<string, OperationInput>)[id] ?? {};

export interface AtOnce {
  /** `operation: status …` of each that was answered with 5xx, except 502. */
  faults: string[];
  /** The operations that were let in at least once. */
  succeeded: string[];
}

/** Keeps what PostgreSQL undid because of a deadlock, also where a second try hid it. */
export function deadlockLog(): { log: Log; deadlocks: unknown[] } {
  const deadlocks: unknown[] = [];
  const warn: Log["warn"] = (message, fields) => {
    if (message === contentionMessage) deadlocks.push(fields?.error);
  };
  const log: Log = { ...silentLog, warn, child: () => log };
  return { log, deadlocks };
}

export async function twentyAtOnce(
  service: TestService,
  operations: readonly OperationDeclaration[],
): Promise<AtOnce> {
  const told: AtOnce = { faults: [], succeeded: [] };
  for (const operation of operations) {
    const statuses = await statusesOf(service, operation);
    if (statuses.some((status) => status < 400)) told.succeeded.push(operation.id);
    // A server that is out of reach is no fault of ours.
    const bad = statuses.filter((status) => status >= 500 && status !== 502);
    if (bad.length > 0) told.faults.push(`${operation.id}: ${bad.join(" ")}`);
  }
  return told;
}

async function statusesOf(service: TestService, operation: OperationDeclaration): Promise<number[]> {
  const { app } = service;
  const { params, query, body } = inputOf(operation);
  const world = await makeWorld(app.db);
  const { owner } = world.people;
  const values: Record<string, string> = {
    projectId: world.projectId,
    organizationId: world.organizationId,
    ...(await params?.(world, app)),
  };
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "missing");
  const isOfQuery = operation.access.kind === "project" && operation.access.from === "query";
  const search = new URLSearchParams({ ...(isOfQuery && { projectId: world.projectId }), ...query });
  const headers =
    operation.surface === "app"
      ? { cookie: owner.cookie, "x-fettle-app": "1" }
      : { authorization: `Bearer ${owner.key}` };
  await app.pool.query("DELETE FROM rate_limits");
  return Promise.all(
    Array.from({ length: atOnce }, async () => {
      const response = await fetch(`${service.url}${path}?${search}`, {
        method: operation.method,
        redirect: "manual",
        headers: { ...headers, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body(world, values)) }),
      });
      await response.body?.cancel();
      return response.status;
    }),
  );
}
