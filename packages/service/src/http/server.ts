/** @module The HTTP server, made from the contract: one route per operation, the same steps in the same order for each. */

import fastifyStatic from "@fastify/static";
import { ApiError, limits, type OperationSummary } from "@fettle/contract/core";
import { loadOperation, type OperationId } from "@fettle/contract/operations";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { App } from "../core/app.ts";
import { asCaller, nameCaller } from "../core/db/shares.ts";
import { newId } from "../core/id.ts";
import type { Caller } from "../core/routing/bind.ts";
import type { Place } from "../core/routing/held-role.ts";
import { createInProcess, type InProcess } from "../core/routing/in-process.ts";
import { missing, noRoute } from "../core/routing/not-found.ts";
import type { RawRoute } from "../core/routing/raw-route.ts";
import type { ReadAlong } from "../core/routing/read-along.ts";
import { readSession } from "../people/accounts/sign-in/sessions.ts";
import { createAnswer } from "./answer.ts";
import { leaveBody, readFormBody, readJsonBody } from "./body.ts";
import { admit, locate, type PlaceNames, projectIdOf } from "./caller/access.ts";
import { createIdentify, type Identity } from "./caller/identify.ts";
import { compress } from "./compress.ts";
import { isDeprecatedPath, successorLink } from "./deprecation.ts";
import { withTag } from "./entity-tag.ts";
import { failureOf } from "./errors.ts";
import type { Metrics } from "./metrics.ts";
import {
  createAllowedMethods,
  operationRoutes,
  pathOf,
  pathsOf,
  routerPath,
  withHead,
} from "./route-table.ts";
import { isOurHost, originsOf, refuseForeignOrigin } from "./same-origin.ts";
import { secureHeaders } from "./secure-headers.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Names the route in metrics and logs: an operation id or a raw route's id. */
    routeId?: string;
    /** The body's whole numbers keep their digits. */
    exactNumbers?: boolean;
  }
  interface FastifyInstance {
    /** The way from one operation to another. */
    inProcess: InProcess;
  }
  interface FastifyRequest {
    /** What the access check found; set before the body is read. */
    entry: { caller: Caller; place: Place; thing?: { found: unknown } | undefined } | undefined;
  }
}

export interface ServerParts {
  app: App;
  /** What answers an operation, loaded with the first request for it. */
  bindingOf: (operationId: string) => Promise<unknown>;
  rawRoutes: readonly RawRoute[];
  metrics: Metrics;
  /** The built web app, when there is one. */
  webFolder?: string | undefined;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** Hold every answer to the contract's output schema; on in development and tests. */
  checkOutputs: boolean;
}

/** An operation with what answers it. */
interface Bound {
  respond: ReturnType<typeof createAnswer>;
  along: ReadAlong<unknown> | undefined;
}

/** Whoever is not known yet may not make us read much. */
const publicBodyLimit = 64 * 1024;

/** The contract validates: the compilers of schemas that Fastify would load are never needed, and not in the bundle. */
const noSchemas = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

function refuseSchema(): never {
  throw new Error("Routes have no schemas for Fastify; the contract says what they take.");
}

/**
 * Builds the server without listening.
 *
 * @example
 * const server = createServer({ app, bindingOf, rawRoutes, metrics, stopping, checkOutputs: true });
 * await server.ready();
 * front.open(server.routing);
 */
export function createServer(parts: ServerParts): FastifyInstance {
  const { app, rawRoutes, metrics } = parts;
  const { config } = app;
  const origins = originsOf(config);
  const headers = secureHeaders(config.publicUrl);
  const allowedMethods = createAllowedMethods(rawRoutes);
  const identify = createIdentify(app);

  const server = fastify({
    logger: false,
    // A public address means that a proxy stands in front; only one on this machine or network may name the client.
    trustProxy: config.publicUrl ? ["loopback", "linklocal", "uniquelocal"] : false,
    bodyLimit: limits.ingest.maxBodyBytes,
    // A request that came in while we stop is still answered; its connection is closed after it.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers["x-request-id"]),
    // Whether an id is too long is asked once it is known who asks; an address ends long before this.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    // Routes name HEAD themselves: one registration with two methods takes half the time of two.
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noSchemas },
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply),
  });
  server.decorateRequest("entry", undefined);
  server.decorateReply("revision", undefined);
  server.decorate("stopping", parts.stopping);
  const inProcess = createInProcess(server, pathOf);
  server.decorate("inProcess", inProcess);
  readJsonBody(server);
  if (parts.webFolder !== undefined) server.register(fastifyStatic, { root: parts.webFolder, serve: false });

  // Before anything is asked of the database; whose request it is, is known better once somebody is identified.
  server.addHook("onRequest", (request, _reply, done) => {
    const { name, isKnown } = shareOf(request);
    asCaller(name, done, isKnown);
  });
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(headers);
    reply.header("x-request-id", request.id);
    if (isDataPath(request.url)) reply.header("cache-control", "no-store");
    // Before anything can be refused, so that refusals say it too.
    if (isDeprecatedPath(request.url)) reply.header("deprecation", "true");
    if (!isOurHost(request.headers.host, origins)) {
      throw new ApiError("FORBIDDEN", "This service is not called by that name.", { reason: "unknown_host" });
    }
    // Pages answer every path that nothing else does, data excepted.
    const isUnknown = request.is404 || request.routeOptions.config.routeId === "pages";
    if (isUnknown && isDataPath(request.url)) await answerUnknownRoute(request, reply);
  });
  server.addHook("onSend", async (request, reply, payload) =>
    compress(request, reply, withTag(request, reply, payload)),
  );
  server.addHook("onResponse", async (request, reply) => {
    const id = request.routeOptions.config.routeId ?? "unknown";
    metrics.request(id, reply.statusCode, reply.elapsedTime / 1000);
    app.log.debug("request", {
      requestId: request.id,
      method: request.method,
      route: id,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      caller: request.entry?.caller.kind,
    });
  });
  server.setErrorHandler(sendFailure);
  server.setNotFoundHandler(() => {
    throw missing("There is no such page.", "Check the address.");
  });

  for (const operation of operationRoutes) {
    for (const path of pathsOf(operation)) addOperation(operation, path);
  }
  for (const route of rawRoutes) addRawRoute(route);
  return server;

  function addOperation(operation: OperationSummary, path: string): void {
    const link = operation.deprecated && successorLink(operation.deprecated.successor);
    let route: Bound | undefined;
    const bind = async (): Promise<Bound> => {
      const [bound, declared] = await Promise.all([
        parts.bindingOf(operation.id),
        // The table has one row for each operation of the contract.
        loadOperation(operation.id as OperationId),
      ]);
      route = { respond: createAnswer(declared, bound, parts), along: alongOf(operation, bound) };
      return route;
    };
    server.route({
      // A stream has no head of its own to show.
      method: operation.raw ? operation.method : withHead([operation.method]),
      url: routerPath(path),
      config: { routeId: operation.id, exactNumbers: operation.exactNumbers ?? false },
      bodyLimit: operation.access.kind === "public" ? publicBodyLimit : limits.ingest.maxBodyBytes,
      onRequest: async (request, reply) => {
        if (link) reply.header("link", link(request.params as Record<string, string>));
        const { along } = route ?? (await bind());
        request.entry = await enter(operation, request, along);
      },
      handler: async (request, reply) => (route ?? (await bind())).respond(request, reply),
    });
  }

  /** Bearer, rate limit, project visible: what is decided before a byte of the body is read. */
  async function enter(
    operation: OperationSummary,
    request: FastifyRequest,
    along: ReadAlong<unknown> | undefined,
  ) {
    const isPublic = operation.access.kind === "public";
    // Here text from outside begins to count as ids: each is looked up at once, and nothing is said about one that is not there.
    const input = { params: request.params, query: request.query } as PlaceNames;
    // A page that anyone may open still greets who is signed in, but nobody's bearer is looked at there.
    const known = inProcess.callerOf(request.headers);
    const id = along && (request.params as Record<string, string>)[along.param];
    const wanted = id ? { reading: along, id } : undefined;
    const { caller, ties, thing }: Identity = known
      ? { caller: known }
      : isPublic
        ? { caller: await sessionOrNobody(request) }
        : await identify(request, projectIdOf(operation.access, input), wanted);
    admit(operation, caller);
    refuseOddIds(request.params as Record<string, string>);
    const isBrowser = caller.kind === "session" && caller.via === "browser";
    if (!known && operation.method !== "GET" && (isPublic || isBrowser)) {
      refuseForeignOrigin(request.headers, origins, isBrowser);
    }
    const place = await locate(app.pool, operation.access, caller, input, ties);
    const organizationId = place.project?.organizationId ?? place.organization?.id;
    if (organizationId) nameCaller(organizationId);
    return { caller, place, thing };
  }

  async function sessionOrNobody(request: FastifyRequest): Promise<Caller> {
    const session = await readSession(app, request.headers);
    return session ? { kind: "session", ...session, via: "browser" } : { kind: "nobody" };
  }

  function addRawRoute(route: RawRoute): void {
    const { body } = route;
    if (body === undefined) {
      routeRaw(server, route);
      return;
    }
    server.register(async (scope) => {
      if (body === "form") readFormBody(scope);
      else leaveBody(scope);
      routeRaw(scope, route);
    });
  }

  function routeRaw(scope: FastifyInstance, route: RawRoute): void {
    scope.route({
      method: withHead(route.methods),
      url: routerPath(route.path),
      config: { routeId: route.id },
      bodyLimit: publicBodyLimit,
      handler: async (request, reply) => {
        const session = route.policy === "session" ? await sessionOrNobody(request) : undefined;
        if (session && session.kind !== "session") throw new ApiError("UNAUTHORIZED", "Sign in first.");
        return route.handle({ app, request, reply, session });
      },
    });
  }

  /** Under the API a stranger learns nothing about routes: credential and rate limit come first, then 404 or 405. */
  async function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const methods = allowedMethods(pathnameOf(request.url));
    if (request.method === "OPTIONS" && methods.length > 0) {
      await reply.status(204).header("allow", methods.join(", ")).send();
      return;
    }
    const { caller } = await identify(request);
    if (caller.kind === "nobody") throw new ApiError("UNAUTHORIZED", "Send a credential.");
    if (methods.length === 0) throw noRoute();
    await reply
      .status(405)
      .header("allow", methods.join(", "))
      .send({
        code: "VALIDATION_ERROR",
        message: `This address does not take ${request.method}.`,
        details: { reason: "method_not_allowed", allow: methods },
      });
  }

  function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const failure = failureOf(error, request.id, request.routeOptions.bodyLimit);
    if (failure.isOurs) {
      app.log.error("request failed", {
        requestId: request.id,
        method: request.method,
        url: request.url,
        error,
      });
    }
    return reply
      .headers({ "x-request-id": request.id, ...failure.headers })
      .status(failure.status)
      .send(failure.body);
  }
}

/** Only of what is looked for in a project: there the thing belongs to what the caller was found to see. */
function alongOf({ access }: OperationSummary, bound: unknown): ReadAlong<unknown> | undefined {
  const isResource = typeof bound === "object" && bound !== null && "along" in bound;
  return access.kind === "project" && isResource
    ? (bound.along as ReadAlong<unknown> | undefined)
    : undefined;
}

/** An address that ends with a slash names nothing where an id should be. */
function refuseOddIds(params: Record<string, string>): void {
  for (const { length } of Object.values(params)) {
    if (length > 0 && length <= limits.request.maxPathIdLength) continue;
    const reason = length === 0 ? "id_missing" : "id_too_long";
    throw missing("There is no such thing.", "Check the id in the address.", { reason });
  }
}

/** Whose share of the connections a request takes from: visitors together by their scenario, others by what they send. */
function shareOf({ params, headers, ip }: FastifyRequest): { name: string; isKnown: boolean } {
  const { scenarioId } = (params ?? {}) as { scenarioId?: string };
  return scenarioId === undefined
    ? { name: headers.authorization ?? headers.cookie ?? ip, isKnown: false }
    : { name: scenarioId, isKnown: true };
}

const processId = newId("request");
let requestCount = 0;

function requestIdOf(given: string | string[] | undefined): string {
  // Only what is safe to print: the id goes into logs and back to the caller.
  if (typeof given === "string" && /^[\w.:-]{1,128}$/.test(given)) return given;
  // Counted on from the process's own: unique, and cheaper than new randomness for each request.
  requestCount += 1;
  return `${processId}_${requestCount.toString(36)}`;
}

function pathnameOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** What is answered in JSON, always; the rest are pages. */
function isDataPath(url: string): boolean {
  return /^\/(api|app)([/?]|$)/.test(url);
}
