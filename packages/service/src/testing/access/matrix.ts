/**
 * @module Tries operations with callers of every kind against the real server. What should happen is worked out from the
 * contract and from what each caller is, never from the code under test, and there is no list of exceptions.
 */
import {
  holdsOrganizationRole,
  limits,
  type OperationDeclaration,
  type OrganizationRole,
  type ProjectGrant,
} from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allOperations } from "../../http/every-operation/all-operations.ts";
import { pathOf } from "../../http/route-table.ts";
import { type OperationInput, operationInputs } from "../operation-inputs.ts";
import { type TestService, testService } from "../service.ts";
import { makeWorld, type PersonName, people, type World } from "../world.ts";

/** How somebody calls. A forged browser is a signed-in one whose request another site has started. */
type Credential =
  | "none"
  | "unknown key"
  | "revoked key"
  | "expired key"
  | "guest token"
  | "key"
  | "cli"
  | "browser"
  | "forged browser";

export interface Caller {
  credential: Credential;
  person?: PersonName;
}

const strangers: Credential[] = ["none", "unknown key", "revoked key", "expired key", "guest token"];
const names = Object.keys(people) as PersonName[];

/**
 * Everyone by the credential that the surface is made for; by each other credential somebody who belongs there and somebody
 * who does not, since who calls is found out before what they may do.
 */
export function everyCaller({ surface }: OperationDeclaration): Caller[] {
  const usual = surface === "app" ? "browser" : "key";
  const others = (["key", "browser", "cli"] as const).filter((credential) => credential !== usual);
  return [
    ...strangers.map((credential) => ({ credential })),
    ...names.map((person) => ({ credential: usual, person }) as const),
    ...others.flatMap((credential) =>
      (["member", "stranger"] as const).map((person) => ({ credential, person })),
    ),
    { credential: "forged browser", person: "owner" },
  ];
}

const inputOf = ({ id }: OperationDeclaration): OperationInput =>
  (operationInputs as Record<string, OperationInput>)[id] ?? {};
const isBrowser = ({ credential }: Caller) => credential === "browser" || credential === "forged browser";
const isWrite = ({ method }: OperationDeclaration) => method !== "GET";

/** The status the contract and the tables of roles ask for. */
function expectedStatus(operation: OperationDeclaration, caller: Caller): number {
  const { access, surface } = operation;
  const { credential, person } = caller;
  if (credential === "forged browser" && isWrite(operation)) return 403;
  if (access.kind === "public") return passingStatus(operation, caller);
  if (person === undefined && credential !== "guest token") return 401;
  if (credential === "guest token") return access.kind === "guest" ? passingStatus(operation, caller) : 401;
  if (surface === "app" && !isBrowser(caller)) return 403;
  const { role, grant }: { role: OrganizationRole | null; grant: ProjectGrant | null } = people[person!];
  if (access.kind === "organization") {
    if (role === null) return 404;
    if (!holdsOrganizationRole(role, access.role)) return 403;
  }
  if (access.kind === "project") {
    const isWorkspaceMember = role !== null && role !== "guest";
    const isAdmin = grant === "admin" || role === "admin" || role === "owner";
    if (!isWorkspaceMember && grant === null) return 404;
    const isHeld = { member: true, workspace_member: isWorkspaceMember, admin: isAdmin, manage: isAdmin }[
      access.role
    ];
    if (!isHeld) return 403;
  }
  return passingStatus(operation, caller);
}

function passingStatus(operation: OperationDeclaration, { person }: Caller): number {
  if (!operation.built) return 422;
  const { passes } = inputOf(operation);
  return (typeof passes === "function" ? passes(person) : passes) ?? operation.status ?? 200;
}

function headersOf({ credential, person }: Caller, world: World): Record<string, string> {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  switch (credential) {
    case "none":
      return {};
    case "unknown key":
      return bearer(world.unknownKey);
    case "revoked key":
      return bearer(world.revokedKey);
    case "expired key":
      return bearer(world.expiredKey);
    case "guest token":
      return bearer(world.guestToken);
    case "key":
      return bearer(world.people[person!].key);
    case "cli":
      return bearer(world.people[person!].cliToken);
    case "browser":
      return { cookie: world.people[person!].cookie, "x-fettle-app": "1" };
    case "forged browser":
      return { cookie: world.people[person!].cookie, origin: "https://evil.example" };
  }
}

/**
 * Everyone for the first operation of each policy, and where a rule of the operation's own decides. For each other one, a person
 * for each status that people get, and somebody who calls by anything else, which is the same code for all. Who that is takes
 * turns from operation to operation.
 */
export function callersByAnswer(operation: OperationDeclaration): Caller[] {
  const callers = everyCaller(operation);
  if (isFirstOfItsPolicy(operation) || typeof inputOf(operation).passes === "function") return callers;
  const usual = operation.surface === "app" ? "browser" : "key";
  const wayOf = (caller: Caller) =>
    caller.person !== undefined && caller.credential === usual
      ? `${expectedStatus(operation, caller)}`
      : "by another credential";
  const turn = allOperations.indexOf(operation);
  return [...Map.groupBy(callers, wayOf).values()].map((alike) => alike[turn % alike.length]!);
}

/** What is not built yet is all answered by the same code, which knows of an operation only this. */
const kindOf = ({ surface, method, access }: OperationDeclaration) =>
  JSON.stringify([surface, method, access]);
const oneOfEachKind = new Map(
  allOperations.filter(({ built }) => !built).map((operation) => [kindOf(operation), operation]),
);
const tried = allOperations.filter(
  (operation) => operation.built || oneOfEachKind.get(kindOf(operation)) === operation,
);
/** Whoever may read may read by each way to read, and the same of writing. */
const policyOf = (operation: OperationDeclaration) =>
  JSON.stringify([operation.surface, isWrite(operation), operation.access, operation.built === true]);
const firstOfEachPolicy = new Map(tried.toReversed().map((operation) => [policyOf(operation), operation]));
const isFirstOfItsPolicy = (operation: OperationDeclaration) =>
  firstOfEachPolicy.get(policyOf(operation)) === operation;

type Values = Record<string, string>;

interface Cell {
  operation: OperationDeclaration;
  caller: Caller;
}

/** What fills the path's places: made for this one call. */
async function valuesOf(
  service: TestService,
  operation: OperationDeclaration,
  world: World,
): Promise<Values> {
  const { projectId, organizationId } = world;
  return { projectId, organizationId, ...(await inputOf(operation).params?.(world, service.app)) };
}

async function tryCell(service: TestService, { operation, caller }: Cell, world: World, values: Values) {
  const { query, body } = inputOf(operation);
  const path = pathOf(operation).replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? `${name}_missing`,
  );
  const search = new URLSearchParams({
    ...(operation.access.kind === "project" &&
      operation.access.from === "query" && { projectId: world.projectId }),
    ...query,
  });
  const hasBody = isWrite(operation) && body !== undefined;
  const response = await fetch(`${service.url}${path}?${search}`, {
    method: operation.method,
    redirect: "manual",
    headers: { ...headersOf(caller, world), ...(hasBody && { "content-type": "application/json" }) },
    ...(hasBody && { body: JSON.stringify(body(world, values)) }),
  });
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer = isJson ? ((await response.json()) as { code?: string; details?: { reason?: string } }) : {};
  // A stream would go on for ever.
  if (!isJson) await response.body?.cancel();
  return { status: response.status, code: answer.code, reason: answer.details?.reason };
}

/** Fewer than the smallest bucket holds. */
const together = 8;

const words = ({ credential, person }: Caller) => [person, credential].filter(Boolean).join("'s ");

/** The API's own document, as a client reads it: which statuses each operation may answer. */
async function documentedStatuses(service: TestService): Promise<Map<string, string[]>> {
  const { body } = await service.call("/api/v1/openapi.json");
  const paths = body.paths as Record<string, Record<string, { operationId: string; responses: object }>>;
  return new Map(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId, responses }) => [operationId, Object.keys(responses)]),
  );
}

/** What is refused before anything about the operation itself is looked at. */
const oddRequests: [what: string, change: (path: string) => { path: string; init: RequestInit }][] = [
  ["a path that cannot be read", (path) => ({ path: path.replace(/[^/]+$/, "%zz"), init: {} })],
  ["a character that cannot be stored", (path) => ({ path: path.replace(/[^/]+$/, "%00"), init: {} })],
  ["a query that nobody knows", (path) => ({ path: `${path}?limit=x&unknown=1`, init: {} })],
  ["a body that is not JSON", (path) => ({ path, init: bodyOf("{", "application/json") })],
  ["a field that nobody knows", (path) => ({ path, init: bodyOf('{"unknown":1}', "application/json") })],
  ["a body of another kind", (path) => ({ path, init: bodyOf("a=b", "text/plain") })],
  ["a body without end", (path) => ({ path, init: bodyOf(tooLong, "application/json") })],
  ["what it has already", (path) => ({ path, init: { headers: { "if-none-match": "*" } } })],
];
const tooLong = JSON.stringify({ long: "x".repeat(limits.ingest.maxBodyBytes) });
const bodyOf = (body: string, type: string): RequestInit => ({ body, headers: { "content-type": type } });

interface Extent {
  /** Who tries an operation. */
  callersOf: (operation: OperationDeclaration) => Caller[];
  /** Which operations are asked in ways that nobody should. */
  oddRequestsOf: "every operation" | "one of each policy";
}

export function proveAccess({ callersOf, oddRequestsOf }: Extent): void {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });
  afterAll(() => service.close());

  it("knows what to send to every built operation", () => {
    const built = allOperations.filter((operation) => operation.built).map(({ id }) => id);
    expect(built.filter((id) => !Object.hasOwn(operationInputs, id))).toEqual([]);
  });

  it("tries every kind of access that an operation declares", () => {
    const kinds = (some: readonly OperationDeclaration[]) => new Set(some.map(kindOf));
    expect(kinds(tried)).toEqual(kinds(allOperations));
  });

  it("lets everyone try one operation of each policy", () => {
    const policies = (some: readonly OperationDeclaration[]) => new Set(some.map(policyOf));
    const byEveryone = tried.filter(
      (operation) => callersOf(operation).length === everyCaller(operation).length,
    );
    expect(policies(byEveryone)).toEqual(policies(tried));
  });

  const oddlyAsked = tried.filter(
    (operation) =>
      operation.surface !== "app" && (oddRequestsOf === "every operation" || isFirstOfItsPolicy(operation)),
  );

  it("documents every status that an operation answers", { timeout: 900_000 }, async () => {
    const documented = await documentedStatuses(service);
    const world = await makeWorld(service.app.db);
    const wrong = new Set<string>();
    for (const operation of oddlyAsked) {
      const path = pathOf(operation)
        .replace("{projectId}", world.projectId)
        .replaceAll(/\{\w+\}/g, "missing");
      await service.app.pool.query("DELETE FROM rate_limits");
      for (const [what, change] of oddRequests) {
        const asked = change(path);
        // Nothing but the last segment of a path is changed, and that must be an id.
        if (asked.path !== path && !asked.path.includes("?") && !/\}$/.test(operation.path)) continue;
        if (asked.init.body !== undefined && !isWrite(operation)) continue;
        const response = await fetch(service.url + asked.path, {
          method: operation.method,
          ...asked.init,
          headers: { ...asked.init.headers, authorization: `Bearer ${world.people.owner.key}` },
        });
        await response.body?.cancel();
        if (!documented.get(operation.id)!.includes(String(response.status)))
          wrong.add(`${operation.id}: ${response.status} to ${what}`);
      }
    }
    expect([...wrong]).toEqual([]);
  });

  it("answers every operation to every caller as the contract says", { timeout: 900_000 }, async () => {
    const shared = await makeWorld(service.app.db);
    const documented = await documentedStatuses(service);
    const wrong: string[] = [];
    const counts = new Map<number, number>();
    // A call that changes nothing leaves what it was made on to the next.
    const kept = new Map<OperationDeclaration, Promise<Values>>();
    const keptValuesOf = (operation: OperationDeclaration) => {
      if (!kept.has(operation)) kept.set(operation, valuesOf(service, operation, shared));
      return kept.get(operation)!;
    };
    const cells = tried.flatMap((operation) =>
      callersOf(operation).map((caller): Cell => ({ operation, caller })),
    );
    for (let start = 0; start < cells.length; start += together) {
      // Time for the buckets to fill again: the limits have tests of their own.
      await service.app.pool.query("DELETE FROM rate_limits");
      await Promise.all(
        cells.slice(start, start + together).map(async ({ operation, caller }) => {
          const expected = expectedStatus(operation, caller);
          // A call that should go through and change the world is given one of its own.
          const isShared = !operation.built || !isWrite(operation) || expected >= 400;
          const world = isShared ? shared : await makeWorld(service.app.db);
          const isRefused =
            expected === 401 || (caller.person && expected !== passingStatus(operation, caller));
          const changesNothing = !isWrite(operation) || isRefused;
          const values = await (changesNothing
            ? keptValuesOf(operation)
            : valuesOf(service, operation, world));
          const { status, code, reason } = await tryCell(service, { operation, caller }, world, values);
          counts.set(status, (counts.get(status) ?? 0) + 1);
          const isDocumented =
            operation.surface === "app" || documented.get(operation.id)!.includes(`${status}`);
          if (!isDocumented) wrong.push(`${operation.id}: ${status} is not in the document`);
          const isRight =
            status === expected && (expected !== 422 || operation.built === true || reason === "not_built");
          if (!isRight) {
            wrong.push(`${operation.id} by ${words(caller)}: ${status} ${code} ${reason}, not ${expected}`);
          }
        }),
      );
    }
    const byStatus = [...counts]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${count}× ${status}`);
    console.log(
      `access matrix: ${tried.length} of ${allOperations.length} operations in ${cells.length} calls, ` +
        `${wrong.length} wrong, 0 exceptions (${byStatus.join(", ")})`,
    );
    expect(wrong).toEqual([]);
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(cells.length);
  });
}
