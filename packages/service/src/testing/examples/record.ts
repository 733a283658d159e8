/**
 * @module Records the examples of the OpenAPI document: calls every operation on the sample project as its recipe says, and keeps
 * what was sent and answered. What differs from recording to recording becomes constants, so that the same service gives the same files.
 */
import { isDeepStrictEqual } from "node:util";
import { idOf, type OperationDeclaration, tags } from "@fettle/contract/core";
import { type ExampleCall, type OperationExample, operationExamples } from "@fettle/contract/document";
import { type OperationId, operations } from "@fettle/contract/operations";
import { eq } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { sandboxImageBuilds } from "../../core/tables/sandbox-images.ts";
import { serverConnections } from "../../core/tables/server-connections.ts";
import { createConstants, shapeOf } from "./constants.ts";
import { recipes } from "./recipes.ts";
import { sampleProject } from "./sample-project.ts";
import { setUp } from "./set-up.ts";
import type { Recipe, Step } from "./step.ts";

type Variables = Record<string, string | number>;

/** The committed files, by name. */
export async function recordExamples(report: (line: string) => void): Promise<Record<string, string>> {
  await using sample = await sampleProject();
  const { service, send } = sample;
  const variables: Variables = { RANDOM: 4_711, IN_AN_HOUR: Date.now() + 3_600_000 };
  const constants = createConstants({
    [service.url]: "http://127.0.0.1:7400",
    [sample.shopUrl]: "http://127.0.0.1:7402/mcp",
  });
  let made = 30_000;
  const make = async (step: Step): Promise<ExampleCall> => {
    const call = callOf(step);
    constants.name("RANDOM", String(++made));
    variables.RANDOM = made;
    const { status, body } = await send(filled(call, variables));
    if (status >= 300) throw new Error(`${step.operation}: ${status} ${JSON.stringify(body).slice(0, 500)}`);
    if (step.set === undefined) return call;
    const named = body.items?.find(({ name }: { name?: string }) => name === step.called);
    const found = new RegExp(`"${step.field}":"([^"]*)"`).exec(JSON.stringify(named ?? body))?.[1];
    if (!found)
      throw new Error(`${step.operation} answered no ${step.field}: ${JSON.stringify(body).slice(0, 300)}`);
    variables[step.set] = found;
    constants.name(step.set, found);
    return call;
  };
  const record = async (id: OperationId, recipe: Recipe): Promise<OperationExample> => {
    const first: ExampleCall[] = [];
    for (const step of recipe.first ?? []) first.push(await make(step));
    await readied[id]?.(service.app, variables);
    const request = callOf({ operation: id, ...recipe });
    constants.name("RANDOM", String(++made));
    variables.RANDOM = made;
    const { status, body } = await send(filled(request, variables));
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body).slice(0, 500)}`);
    const answer = typeof body === "string" ? eventsOf(body) : body;
    return {
      request,
      ...(first.length > 0 && { first }),
      ...(recipe.needs && { needs: recipe.needs }),
      ...(recipe.races && { races: true }),
      shape: shapeOf(answer),
      answer: constants.of(answer),
    };
  };

  const calls: ExampleCall[] = [];
  for (const step of setUp) {
    calls.push(callOf(step));
    await make(step).catch((error) => report(`set-up: ${error.message}`));
  }
  await sample.atRest(variables);
  const byTag = new Map<string, Record<string, OperationExample>>(tags.map(({ name }) => [name, {}]));
  const all: OperationDeclaration[] = Object.values(operations);
  // How far a run had come would be chance, and what is canceled must not have ended by itself.
  await sample.whileNothingWorks(async () => {
    for (const { id, tag } of all.filter((one) => one.built && one.surface !== "app")) {
      try {
        byTag.get(tag)![id] = asBefore(id, await record(id as OperationId, recipes[id as OperationId] ?? {}));
      } catch (error) {
        report(`${id}: ${error instanceof Error ? error.message : error}`);
      }
    }
  });
  const contents = new Map<string, unknown>([
    ...[...byTag].map(([tag, examples]) => [tag.toLowerCase().replaceAll(" ", "-"), examples] as const),
    ["set-up", { calls, variables: constants.variables() }],
  ]);
  return Object.fromEntries(
    [...contents].map(([name, content]) => [`${name}.json`, `${JSON.stringify(content, null, 2)}\n`]),
  );
}

/** Which finding is the first of a list is chance: an example stays as long as it is asked and answered alike. */
function asBefore(id: string, now: OperationExample): OperationExample {
  const before = operationExamples[id];
  const { answer: _then, ...then } = before ?? { answer: undefined };
  const { answer: _now, ...said } = now;
  return before && isDeepStrictEqual(then, JSON.parse(JSON.stringify(said))) ? before : now;
}

/** What a container engine, a server of somebody else or time would bring about. */
const readied: Partial<Record<OperationId, (app: App, variables: Variables) => Promise<unknown>>> = {
  useSandboxImage: (app, { NEW_IMAGE_ID }) =>
    app.db
      .update(sandboxImageBuilds)
      .set({ status: "ready" })
      .where(eq(sandboxImageBuilds.imageId, idOf<"sandboxImage">().parse(NEW_IMAGE_ID))),
  retryServerConnectionValidation: (app, { NEW_CONNECTION_ID }) =>
    app.db
      .update(serverConnections)
      .set({ status: "validating" })
      .where(eq(serverConnections.id, idOf<"serverConnection">().parse(NEW_CONNECTION_ID))),
};

/** The path's places, where a recipe does not say them. */
const usual: Record<string, string> = {
  client: "$CLIENT_ID",
  hostId: "$CLIENT_ID",
  harnessId: "claude-code",
  idOrName: "$DIRECTORY_SERVER_ID",
  sessionKey: "$SESSION_KEY",
  entryId: "$HISTORY_ENTRY_ID",
};
/** By what stands before them, where several kinds of things share a name. */
const usualAfter: Record<string, string> = {
  "eval-runs/{runId}": "$EVAL_RUN_ID",
  "conformance-runs/{runId}": "$CONFORMANCE_RUN_ID",
  "readiness-runs/{runId}": "$READINESS_RUN_ID",
  "journey-runs/{runId}": "$JOURNEY_RUN_ID",
  "chat-sessions/{sessionId}": "$CHAT_SESSION_ID",
  "sessions/{sessionId}": "$VISIT_ID",
  "journey-findings/{findingId}": "$FINDING_ID",
  "findings/{findingId}": "$VISIT_FINDING_ID",
};

function callOf({ operation: id, path = {}, query, body, set, field, called }: Step): ExampleCall {
  const operation = operations[id];
  const place = operation.path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    const value = path[name] ?? usualAfter[`${before}/{${name}}`] ?? usual[name] ?? `$${snake(name)}`;
    return `${before}/${value}`;
  });
  const search = query
    ? `?${Object.entries(query)
        .map(([name, value]) => `${name}=${value}`)
        .join("&")}`
    : "";
  return {
    method: operation.method,
    path: place + search,
    ...(body !== undefined && { body }),
    ...(set !== undefined && { set, field, ...(called !== undefined && { called }) }),
  } as ExampleCall;
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

function filled(value: ExampleCall, variables: Variables): ExampleCall;
function filled(value: unknown, variables: Variables): unknown;
function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") {
    const known = (name: string) => {
      const found = variables[name];
      if (found === undefined) throw new Error(`Nothing gave $${name}`);
      return found;
    };
    const whole = /^\$([A-Z][A-Z_]*)$/.exec(value);
    if (whole) return known(whole[1]!);
    return value.replaceAll(/\$([A-Z][A-Z_]*)/g, (_, name: string) => String(known(name)));
  }
  if (Array.isArray(value)) return value.map((inner) => filled(inner, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, variables)]));
}

/** The first of each kind of event, by its name. */
function eventsOf(text: string): Record<string, unknown> {
  const events = [...text.matchAll(/^event: (\S+)\ndata: (.*)$/gm)].map(([, name, data]) => [
    name!,
    JSON.parse(data!),
  ]);
  return Object.fromEntries(events.toReversed());
}
