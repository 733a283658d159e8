/** @module Sends requests of every operation to a live service as an owner, and gathers what failed, each cut down to what it takes. */
import { errorStatus, type OperationDeclaration } from "@fettle/contract/core";
import { isObject } from "@fettle/mcp";
import { newId } from "../../core/id.ts";
import { allOperations } from "../../http/every-operation/all-operations.ts";
import { operationInputs } from "../operation-inputs.ts";
import type { TestService } from "../service.ts";
import { makeWorld, type World } from "../world.ts";
import { seededRandom } from "./random.ts";
import { type FuzzRequest, type Grounds, inputOf, makeRequest } from "./requests.ts";

export interface Failure {
  operation: string;
  status: number | string;
  request: string;
}

export interface FuzzResult {
  seed: number;
  sent: number;
  statuses: Record<string, number>;
  failures: Failure[];
}

interface Wanted {
  service: TestService;
  seed: number;
  requests: number;
  /** Sent at the same time. */
  together: number;
  operations?: readonly OperationDeclaration[];
}

/** Longer than whatever asks a server that is not there. */
const patienceMs = 60_000;
/** So many requests are made in one world: some of them leave, delete or revoke what it is made of. */
const perWorld = 300;

export async function fuzz({ service, seed, requests, together, operations }: Wanted): Promise<FuzzResult> {
  const random = seededRandom(seed);
  const chosen = (operations ?? allOperations).filter(({ built }) => built);
  const statuses: Record<string, number> = {};
  const failed = new Map<string, Failure>();
  let grounds: { world: World; ids: string[] } | undefined;
  let sent = 0;
  while (sent < requests) {
    grounds ??= await makeGrounds(service);
    await service.app.pool.query("DELETE FROM rate_limits");
    const batch: FuzzRequest[] = [];
    for (let count = 0; count < together; count += 1) {
      // Each in its turn, so that none is left out.
      const operation = chosen[(sent + count) % chosen.length]!;
      batch.push(makeRequest(operation, await groundsFor(service, grounds, operation), random));
    }
    const { world } = grounds;
    const answers = await Promise.all(batch.map((request) => send(service, world, request)));
    sent += batch.length;
    // Somebody has signed out, revoked the key or deleted what all of it is in.
    if (sent % perWorld < together || answers.includes(401)) grounds = undefined;
    for (const [index, status] of answers.entries()) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      const request = batch[index]!;
      if (!isFailure(request.operation, status) || failed.has(`${request.operation.id} ${status}`)) continue;
      const least = await cutDown(service, world, request, status);
      failed.set(`${request.operation.id} ${status}`, {
        operation: request.operation.id,
        status,
        request: told(least),
      });
    }
  }
  return { seed, sent, statuses, failures: [...failed.values()] };
}

async function makeGrounds({ app }: TestService) {
  const world = await makeWorld(app.db);
  const ids = [world.projectId, world.organizationId, world.people.member.userId, newId("server"), "default"];
  return { world, ids };
}

/** The thing that an operation is about is made for it, and known to the requests after it. */
async function groundsFor(
  { app }: TestService,
  { world, ids }: { world: World; ids: string[] },
  operation: OperationDeclaration,
): Promise<Grounds> {
  const make = inputOf(operation).params;
  const isKnown = Object.hasOwn(operationInputs, operation.id) && make !== undefined;
  // Its project may be gone by now.
  const values: Record<string, string> = isKnown
    ? await Promise.resolve(make(world, app)).catch(() => ({}))
    : {};
  ids.push(...Object.values(values));
  return { world, values, ids: ids.slice(-200) };
}

/** What the server that was asked did wrong is no failure of ours, where the operation asks one: none listens where these point. */
function isFailure({ errors = [] }: OperationDeclaration, status: number | string): boolean {
  if (typeof status === "string") return true;
  const isOfServer =
    (status === 502 || status === 504) && errors.some((code) => errorStatus[code] === status);
  return status >= 500 && !isOfServer;
}

async function send(service: TestService, world: World, request: FuzzRequest): Promise<number | string> {
  const { operation, path, body, idempotencyKey } = request;
  const { key, cookie } = world.people.owner;
  const isPage = operation.surface === "app";
  const search = searchOf(request);
  try {
    const response = await fetch(`${service.url}${path}${search && `?${search}`}`, {
      method: operation.method,
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        ...(isPage ? { cookie, "x-fettle-app": "1" } : { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    // A stream would go on for ever.
    if (isJson) await response.text();
    else await response.body?.cancel();
    return response.status;
  } catch (error) {
    return error instanceof DOMException && error.name === "TimeoutError"
      ? "no answer"
      : `lost: ${String(error)}`;
  }
}

/** Takes away one part after the other, as long as it still fails alike. What fails only once is told as it was. */
async function cutDown(service: TestService, world: World, request: FuzzRequest, status: number | string) {
  const failsAlike = async (one: FuzzRequest) => {
    await service.app.pool.query("DELETE FROM rate_limits");
    return (await send(service, world, one)) === status;
  };
  if (typeof status === "string" || !(await failsAlike(request))) return request;
  let least = request;
  for (let tries = 0; tries < 60; tries += 1) {
    let smaller: FuzzRequest | undefined;
    for (const one of smallerThan(least)) {
      if (!(await failsAlike(one))) continue;
      smaller = one;
      break;
    }
    if (!smaller) break;
    least = smaller;
  }
  return least;
}

function* smallerThan(request: FuzzRequest): Generator<FuzzRequest> {
  const { idempotencyKey, ...plain } = request;
  if (idempotencyKey !== undefined) yield plain;
  const { brokenQuery, ...whole } = request;
  if (brokenQuery !== undefined) yield whole;
  for (const name of Object.keys(request.query)) {
    const { [name]: _gone, ...query } = request.query;
    yield { ...request, query };
  }
  if (request.body !== undefined) for (const body of smallerValues(request.body)) yield { ...request, body };
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, inner] of value.entries()) {
      for (const smaller of smallerValues(inner)) yield value.with(index, smaller);
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const { [name]: _gone, ...others } = value;
      yield others;
    }
    for (const [name, inner] of Object.entries(value)) {
      for (const smaller of smallerValues(inner)) yield { ...value, [name]: smaller };
    }
  }
}

/** As it stands in the address. */
const searchOf = ({ query, brokenQuery }: FuzzRequest) =>
  [new URLSearchParams(query).toString(), brokenQuery].filter(Boolean).join("&");

function told(request: FuzzRequest): string {
  const { operation, path, body, idempotencyKey } = request;
  const search = searchOf(request);
  const key = idempotencyKey === undefined ? "" : ` (Idempotency-Key: ${idempotencyKey})`;
  return `${operation.method} ${path}${search && `?${search}`}${key} ${body === undefined ? "" : JSON.stringify(body)}`;
}
