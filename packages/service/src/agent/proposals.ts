/**
 * @module What the agent wants done and a person decides. A proposal holds its operation and arguments as they were; approving
 * does exactly that, once, as the person who approves, by the operation's own route.
 *
 *   open ──▶ running ──▶ done | failed        open ──▶ declined        open ──▶ expired (when its time is over)
 *     ▲         │
 *     └─────────┴── refused for now: a role that is missing, a limit that is reached
 *               └── the process dies ──▶ lost: done again only where the operation knows a repetition
 */

import type { AgentAction, CreatedResource, ProposedAction } from "@fettle/contract/agent";
import {
  type AgentActionId,
  ApiError,
  type ConfirmSeverity,
  limits,
  type ProjectId,
  type ProposalState,
  type ProposedKind,
  type UserId,
} from "@fettle/contract/core";
import { escapeHidden } from "@fettle/contract/formats";
import { digestOf } from "@fettle/evals";
import { isObject } from "@fettle/mcp";
import type { App } from "../core/app.ts";
import { holdNameLock } from "../core/db/name-lock.ts";
import { newId } from "../core/id.ts";
import type { CallOperation } from "../core/routing/in-process.ts";
import { notFound } from "../core/routing/not-found.ts";
import { announceInProject } from "../people/accounts/announce.ts";
import { holdLease, leaseFrom } from "../visitors/chat/message-keys.ts";
import { madeResource } from "./made-resources.ts";
import { type Names, namesIn, withNames } from "./names.ts";
import {
  type OperationArguments,
  type OperationTool,
  operationTools,
  queryTexts,
} from "./operation-tools.ts";
import * as store from "./store.ts";
import type { Use } from "./uses.ts";

export interface Proposed {
  action: ProposedAction;
  /** It was proposed in this conversation before, and waits. */
  wasOpen: boolean;
}

/** Where and in whose name something is proposed. */
export interface Proposing {
  projectId: ProjectId;
  userId: UserId;
  conversationId: string;
  /** Of the turn, the operation and its arguments. */
  scope: string;
}

export async function propose(
  app: App,
  { projectId, userId, conversationId, scope }: Proposing,
  { operation, effect }: OperationTool,
  args: OperationArguments,
  uses: readonly Use[] = [],
): Promise<Proposed> {
  const now = app.now();
  const { row, wasOpen } = await app.db.transaction(async (tx) => {
    await holdNameLock(tx, `agent-actions ${projectId} ${conversationId}`);
    const open = await store.listOpen(
      tx,
      { projectId, conversationId, operation: operation.id },
      new Date(now),
    );
    const same = open.find((one) => digestOf(one.arguments) === digestOf(args));
    if (same) return { row: same, wasOpen: same.scope !== scope };
    const { row: held } = await store.addAction(tx, {
      id: newId("agentAction", now),
      projectId,
      conversationId,
      scope,
      proposedBy: userId,
      operation: operation.id,
      arguments: args,
      ...kindOf(operation, effect, uses),
      reasons: uses.map(({ why }) => why),
      state: "open",
      createdAt: new Date(now),
      expiresAt: new Date(now + limits.agent.proposalMs),
    });
    await announceInProject(app, tx, projectId, "agent-actions");
    return { row: held, wasOpen: false };
  });
  return { action: toProposed(row, await namesIn(app.db, projectId, row.arguments)), wasOpen };
}

function kindOf(
  { id, path }: OperationTool["operation"],
  effect: OperationTool["effect"],
  uses: readonly Use[],
): { kind: ProposedKind; severity: ConfirmSeverity } {
  if (effect === "write")
    return { kind: "change", severity: uses.some(({ spends }) => spends) ? "spend" : "external" };
  if (effect === "cancel") return { kind: "cancel", severity: "none" };
  if (path.endsWith("schedule"))
    return { kind: "schedule", severity: effect === "spend" ? "spend" : "external" };
  if (effect === "outside") return { kind: "external", severity: "external" };
  return { kind: id.startsWith("generate") ? "generate" : "start", severity: "spend" };
}

const labels: Record<ProposedKind, string> = {
  start: "Start",
  cancel: "End it",
  generate: "Generate",
  schedule: "Schedule",
  external: "Do it",
  change: "Make the change",
};

/** Of whatever is proposed for what it is, and not for who uses what it changes. */
const reasons: Record<ProposedKind, string> = {
  start: "It can cost money.",
  cancel: "It stops something that is running.",
  generate: "It can cost money.",
  schedule: "It makes something run again and again.",
  external: "It reaches beyond this project.",
  change: "Everyone in the project sees the change.",
};

/** Only `propose` fills the column. */
const argumentsOf = (row: store.ActionRow) => row.arguments as OperationArguments;

function toProposed(row: store.ActionRow, names: Names): ProposedAction {
  const { id, operation, kind, severity, expiresAt } = row;
  const { params } = argumentsOf(row);
  const [name, selector] = Object.entries(params).at(-1) ?? [];
  return {
    actionId: id,
    operation,
    description: describe(operation, argumentsOf(row), names),
    reason: row.reasons.length > 0 ? row.reasons.join(" ") : reasons[kind],
    buttonLabel: labels[kind],
    kind,
    confirmSeverity: severity,
    ...(name !== undefined &&
      selector !== undefined && {
        target: { type: name.replace(/Id$/, ""), selector, ...nameOf(names, selector) },
      }),
    expiresAt: expiresAt.getTime(),
  };
}

function nameOf(names: Names, id: string): { name?: string } {
  const name = names.get(id);
  return name === undefined ? {} : { name };
}

/**
 * In our words, and whole: what a model, or a server through it, would like a person to believe is not in here, and nothing is cut off.
 * Things are called as they are.
 */
function describe(operation: string, { params, query, body }: OperationArguments, names: Names): string {
  const summary = operationTools().get(operation)?.operation.summary ?? operation;
  const given = Object.entries({ ...params, ...query, ...body }).map(([name, value]) => {
    const shown = withNames(value, names);
    // A longer text is quoted, so that it cannot pass for the next argument.
    const isWord = typeof value === "string" && /^[\w.:-]{1,80}$/.test(value);
    return `${name} ${isWord ? shown : JSON.stringify(shown)}`;
  });
  return escapeHidden(given.length === 0 ? summary : `${summary}: ${given.join(", ")}`);
}

interface Outcome {
  resource?: CreatedResource;
  error?: string;
}

async function toAction(app: App, row: store.SeenAction): Promise<AgentAction> {
  return withState(app, row, await namesIn(app.db, row.projectId, row.arguments));
}

function withState(app: App, row: store.SeenAction, names: Names): AgentAction {
  const { conversationId, proposer, decider, createdAt, decidedAt, result } = row;
  return {
    ...toProposed(row, names),
    conversationId,
    arguments: { ...argumentsOf(row) },
    state: stateOf(app, row),
    proposedBy: proposer,
    decidedBy: decider,
    createdAt: createdAt.getTime(),
    decidedAt: decidedAt?.getTime() ?? null,
    result,
  };
}

function stateOf(
  { now }: Pick<App, "now">,
  { state, expiresAt, leaseUntil }: store.ActionRow,
): ProposalState {
  if (state === "open") return expiresAt.getTime() > now() ? "open" : "expired";
  if (state === "running") return leaseUntil && leaseUntil.getTime() > now() ? "running" : "lost";
  return state;
}

export async function listActions(
  app: App,
  projectId: ProjectId,
  { conversationId, state }: { conversationId?: string | undefined; state?: "open" | undefined },
): Promise<AgentAction[]> {
  const openAt = state === "open" ? new Date(app.now()) : undefined;
  const rows = await store.listActions(app.db, projectId, { conversationId, openAt }, limits.agent.listed);
  const names = await namesIn(
    app.db,
    projectId,
    rows.map((row) => row.arguments),
  );
  return rows.map((row) => withState(app, row, names));
}

export interface Deciding {
  app: App;
  projectId: ProjectId;
  userId: UserId;
}

async function found({ app, projectId }: Deciding, id: AgentActionId): Promise<store.SeenAction> {
  const row = await store.findAction(app.db, projectId, id);
  if (!row) throw notFound("agentAction");
  return row;
}

const told: Partial<Record<ProposalState, string>> = {
  running: "Somebody approved it, and it is being done.",
  done: "It was approved and done.",
  failed: "It was approved and failed.",
  declined: "It was declined.",
  expired: "Nobody decided in time.",
  lost: "It was approved, and nobody knows how far it came; look at the project before it is done again.",
};

async function alreadyDecided(deciding: Deciding, id: AgentActionId): Promise<ApiError> {
  const state = stateOf(deciding.app, await found(deciding, id));
  return new ApiError("CONFLICT", told[state] ?? "It is decided.", { code: "ACTION_DECIDED", state });
}

export async function decline(deciding: Deciding, row: store.SeenAction): Promise<AgentAction> {
  const { app, projectId, userId } = deciding;
  const now = new Date(app.now());
  const change = { state: "declined", decidedBy: userId, decidedAt: now } as const;
  if (!(await store.decide(app.db, row.id, now, change))) throw await alreadyDecided(deciding, row.id);
  await announce(app, projectId);
  return toAction(app, await found(deciding, row.id));
}

/** Leaves it open: nothing was done, and another person, or the same one later, may. */
const refusedForNow = new Set([401, 403, 429, 503]);

export async function approve(
  deciding: Deciding,
  row: store.SeenAction,
  calls: CallOperation,
  origin: string,
): Promise<AgentAction> {
  const { app, projectId, userId } = deciding;
  const now = new Date(app.now());
  const { id } = row;
  const known = operationTools().get(row.operation);
  if (!known || known.effect === "read" || known.effect === "ask")
    throw new ApiError("CONFLICT", "This is not proposed any more.", { code: "ACTION_GONE" });
  const { operation } = known;
  const begun = { state: "running", decidedBy: userId, decidedAt: now, leaseUntil: leaseFrom(app) } as const;
  const again = operation.idempotent === undefined ? undefined : { by: userId };
  if (!(await store.decide(app.db, id, now, begun, again))) throw await alreadyDecided(deciding, id);
  await announce(app, projectId);
  using _lease = holdLease(app, id, (leaseUntil) => store.updateAction(app.db, id, { leaseUntil }));
  const { params, query, body } = argumentsOf(row);
  const { status, body: answer } = await calls(operation, {
    params: { ...params, projectId },
    query: queryTexts(query),
    body,
    idempotencyKey: `agent-action ${id}`,
  });
  if (refusedForNow.has(status)) {
    const open = { state: "open", decidedBy: null, decidedAt: null, leaseUntil: null } as const;
    await store.updateAction(app.db, id, open);
    await announce(app, projectId);
    throw asRefusal(status, answer);
  }
  const isDone = status < 400;
  const resource = isDone ? madeResource(operation.id, params, answer, { origin, projectId }) : undefined;
  const result: Outcome = isDone ? { ...(resource && { resource }) } : { error: messageOf(answer) };
  const ended = { state: isDone ? "done" : "failed", result, leaseUntil: null } as const;
  await store.updateAction(app.db, id, ended);
  await announce(app, projectId);
  return toAction(app, await found(deciding, id));
}

const announce = (app: App, projectId: ProjectId) =>
  app.db.transaction((tx) => announceInProject(app, tx, projectId, "agent-actions"));

const messageOf = (answer: unknown) =>
  isObject(answer) && typeof answer.message === "string" ? answer.message : "It failed.";

function asRefusal(status: number, answer: unknown): ApiError {
  const { code, details } = isObject(answer) ? answer : {};
  return new ApiError(
    typeof code === "string" ? code : "FORBIDDEN",
    messageOf(answer),
    isObject(details) ? details : undefined,
    { status },
  );
}
