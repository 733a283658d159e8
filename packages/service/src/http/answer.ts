/** @module From an admitted request to its answer: body shape, the thing itself, the role, then the rule function. */

import { Readable } from "node:stream";
import { ApiError, limits, type OperationDeclaration } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../core/app.ts";
import { idempotencyKeyOf, runClaimed, runOnce, withKeyOfHeader } from "../core/idempotency/idempotency.ts";
import type { Call, RawHandler, RefusalHandler, ResourceHandler, Run } from "../core/routing/bind.ts";
import { holdsRole, holdToRole } from "../core/routing/held-role.ts";
import type { CallOperation } from "../core/routing/in-process.ts";
import { nothingHere } from "../core/routing/not-found.ts";
import { whereListed } from "../core/routing/where-listed.ts";
import { WrittenJson } from "../core/routing/written-json.ts";
import { isAudited } from "../people/audit/audited.ts";
import { recordCall } from "../people/audit/record.ts";
import { isSignedIn } from "./caller/access.ts";
import { isLargeJson, jsonPieces } from "./json-pieces.ts";
import { withSealedCursor } from "./list-cursors.ts";
import { asPrecondition, revisionOf, withRevisionOfHeader } from "./revisions.ts";
import { checkOutput, checkRefusal, type Input, readInput } from "./validate.ts";
import { refusingZeros } from "./zero-characters.ts";

interface Parts {
  app: App;
  checkOutputs: boolean;
}

// Once past the contract's types, operations are handled alike; the compiler has matched each handler with its own.
type AnyCall = Call<OperationDeclaration>;
type AnyRefusalHandler = RefusalHandler<OperationDeclaration>;
type AnyHandler = Run<OperationDeclaration> | ResourceHandler<OperationDeclaration> | AnyRefusalHandler;
type Answering = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** `bound` is what the operation's room has bound to it. */
export function createAnswer(operation: OperationDeclaration, bound: unknown, parts: Parts): Answering {
  const plain = answering(operation, bound, parts);
  const answer = parts.checkOutputs ? checkingRefusals(operation, plain) : plain;
  const safely: Answering = (request, reply) =>
    request.holdsZero ? refusingZeros(request.body, () => answer(request, reply)) : answer(request, reply);
  return (request, reply) =>
    safely(request, reply).catch((error) => {
      throw asPrecondition(request.headers, error);
    });
}

function answering(operation: OperationDeclaration, bound: unknown, parts: Parts): Answering {
  if (!operation.built) return answerNotBuilt(operation);
  if (operation.raw) return answerRaw(operation, bound as RawHandler<OperationDeclaration>, parts);
  const handler = bound as AnyHandler;
  const run = inOrder(operation, handler);
  return "refused" in handler ? tellingRefusals(operation, parts.app, handler, answer) : answer;

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const call = makeCall(operation, parts.app, request, reply);
    reply.status(operation.status ?? 200);
    if (operation.kept) reply.header("cache-control", `public, max-age=${limits.keptSeconds}`);
    const { idempotent } = operation;
    const key = idempotent && idempotent !== "own" ? idempotencyKeyOf(request.headers) : undefined;
    if (key !== undefined && isSignedIn(call.caller)) {
      return answerOnce(key, operation, parts, call, call.caller.userId, request, reply, run);
    }
    const output = withSealedCursor(operation, call, await run(call, request.entry?.thing));
    reply.revision = revisionOf(operation, output);
    if (output instanceof WrittenJson) return sendWritten(output, operation, reply, parts);
    if (parts.checkOutputs) checkOutput(operation, output);
    if (!isLargeJson(output)) return output;
    return reply.type("application/json; charset=utf-8").send(Readable.from(jsonPieces(output)));
  }
}

function checkingRefusals(operation: OperationDeclaration, answer: Answering): Answering {
  return (request, reply) =>
    answer(request, reply).catch((error) => {
      checkRefusal(operation, error);
      throw error;
    });
}

function tellingRefusals(
  operation: OperationDeclaration,
  app: App,
  handler: AnyRefusalHandler,
  answer: Answering,
): Answering {
  return async (request, reply) => {
    try {
      return await answer(request, reply);
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.code === "VALIDATION_ERROR";
      if (
        isRefusal &&
        holdsRole(operation.access, must(request.entry, "what the access check has found").place)
      ) {
        const unread = { query: undefined, body: request.body };
        await handler.refused(makeCall(operation, app, request, reply, unread), error);
      }
      throw error;
    }
  };
}

async function sendWritten(
  output: WrittenJson,
  operation: OperationDeclaration,
  reply: FastifyReply,
  { checkOutputs }: Parts,
): Promise<FastifyReply> {
  if (!checkOutputs) return output.send(reply);
  const whole = await output.whole();
  checkOutput(operation, JSON.parse(whole.toString()));
  return new WrittenJson(whole).send(reply);
}

/** The thing comes before the role: whoever sees the project is told 404 about a missing thing, and 403 only about one that exists. */
function inOrder(
  operation: OperationDeclaration,
  handler: AnyHandler,
): (call: AnyCall, thing?: { found: unknown }) => Promise<unknown> {
  const { access } = operation;
  if (typeof handler === "function" || "refused" in handler) {
    const run = typeof handler === "function" ? handler : handler.run;
    return async (call) => {
      holdToRole(access, call);
      return written(call, undefined, await run(call));
    };
  }
  const listed = whereListed(operation);
  return async (call, thing) => {
    const found = thing ? thing.found : await handler.find(call);
    if (found === undefined)
      throw listed ? new ApiError("NOT_FOUND", "There is no such thing here.", { ...listed }) : nothingHere();
    holdToRole(access, call, handler.hintFor(found));
    return written(call, found, await handler.run(call, found));
  };

  /** Before it is answered: what somebody was told that they did is in the audit log. */
  async function written(call: AnyCall, found: unknown, output: unknown): Promise<unknown> {
    if (isAudited(operation)) await recordCall(operation, call, found, output);
    return output;
  }
}

async function answerOnce(
  key: string,
  operation: OperationDeclaration,
  parts: Parts,
  call: AnyCall,
  actor: string,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (call: AnyCall) => Promise<unknown>,
): Promise<unknown> {
  const attempt = { key, actor, operationId: operation.id, parent: call.params, body: request.body ?? {} };
  const work = async (db: AnyCall["db"]) => {
    const body = await run({ ...call, db });
    if (parts.checkOutputs) checkOutput(operation, body);
    return { status: reply.statusCode, body };
  };
  const { app } = parts;
  const { answer, isReplay } =
    operation.idempotent === "claimed"
      ? await runClaimed(app, attempt, () => work(app.db))
      : await runOnce(app, attempt, work);
  if (isReplay) {
    // The role may have been taken away since the first call.
    holdToRole(operation.access, call);
    reply.status(answer.status).header("idempotency-replayed", "true");
  }
  return answer.body;
}

function answerRaw(
  operation: OperationDeclaration,
  handler: RawHandler<OperationDeclaration>,
  parts: Parts,
): Answering {
  return async (request, reply) => {
    const call = makeCall(operation, parts.app, request, reply);
    holdToRole(operation.access, call);
    return handler(call, reply);
  };
}

function answerNotBuilt(operation: OperationDeclaration): Answering {
  return async (request) => {
    holdToRole(operation.access, must(request.entry, "what the access check has found").place);
    throw new ApiError("FEATURE_NOT_SUPPORTED", `${operation.id} is declared, and not built yet.`, {
      reason: "not_built",
      operationId: operation.id,
    });
  };
}

function makeCall(
  operation: OperationDeclaration,
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { query, body }: Input = readInput(operation, {
    params: request.params,
    ...withRevisionOfHeader(operation, request.headers, {
      query: request.query,
      body: withKeyOfHeader(operation, request),
    }),
  }),
): AnyCall {
  const { caller, place } = must(request.entry, "what the access check has found");
  let signal: AbortSignal | undefined;
  const call = {
    app,
    db: app.db,
    caller,
    project: place.project,
    organization: place.organization,
    params: request.params,
    query,
    body,
    request: {
      id: request.id,
      ip: request.ip,
      headers: request.headers,
      get signal() {
        signal ??= abortOnDisconnect(reply);
        return signal;
      },
    },
    calls: ((wanted, input) =>
      request.server.inProcess.call(request, caller, wanted, input)) as CallOperation,
    reply: {
      status: (code: number) => void reply.status(code),
      header: (name: string, value: string | string[]) => void reply.header(name, value),
    },
  };
  // What the path names, the handler looks up: from here on its text counts as an id of the kind the contract gives the name.
  return call as AnyCall;
}

/** Aborts when the caller goes away before the answer is out, so that nobody works for them any longer. */
function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
