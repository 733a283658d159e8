/** @module The last job of a request: connects with everything in hand, and when the server answers, saves it. */
import { ApiError, idOf, type ServerId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { type Connection, isMcpError } from "@fettle/mcp";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { findProject } from "../../http/caller/access.ts";
import { writeCredential } from "../live/credentials.ts";
import { createServer, updateServer } from "../saved/servers.ts";
import { findServer, listServers } from "../saved/store.ts";
import { advance, fail } from "./advance.ts";
import { type ConnectionFailure, connectionError, validationFailure } from "./failures.ts";
import { reach } from "./reach.ts";
import { openPart, type SealedPart } from "./sealed.ts";
import { findRequest, type moveRequest, noteJob, type RequestRow } from "./store.ts";
import { findTarget } from "./target.ts";

const firstPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;

export const validateJob = defineJob({
  name: "server-connections.validate",
  input: z.object({ requestId: idOf<"serverConnection">(), attempt: z.number().int() }),
  retry: { attempts: 8, delayMs: 1_000 },
  timeoutMs: 60_000,
  run: async ({ app, input, signal, finish }) => {
    const row = await findRequest(app.db, input.requestId);
    if (row?.status !== "validating" || row.attempt !== input.attempt) return;
    const outcome = (await maySave(app, row)) ? await tryServer(app, row, signal) : accessLost;
    await finish(async (tx) => {
      if (outcome.kind === "answers") await save(app, tx, row, outcome.serverName);
      else await settleFailure(app, tx, row, outcome.failure);
    });
  },
});

/** Moves the request into validation, or to another try of it, and starts the job. */
export async function startValidation(
  app: App,
  tx: Transaction,
  row: Pick<RequestRow, "id" | "attempt">,
  step: "validate" | "validateAgain",
  change: Parameters<typeof moveRequest>[3] = {},
  startAfter = app.now(),
): Promise<RequestRow | undefined> {
  const attempt = step === "validate" ? 1 : row.attempt + 1;
  const moved = await advance(app, tx, row.id, step, { ...change, attempt });
  if (moved) {
    const job = await app.jobs.enqueue(
      validateJob,
      { requestId: row.id, attempt },
      { singletonKey: `${row.id}/${attempt}`, startAfter, inTransaction: tx },
    );
    await noteJob(tx, row.id, job.id);
  }
  return moved;
}

type Outcome =
  | { kind: "answers"; serverName: string | undefined }
  | { kind: "fails"; failure: ConnectionFailure };

const accessLost: Outcome = {
  kind: "fails",
  failure: {
    isTransient: false,
    error: connectionError("PROJECT_ACCESS_DENIED", "You may no longer add servers to this project."),
  },
};

const projectOf = ({ projectId }: RequestRow) =>
  must(projectId, "the project of a request that is validated");

/** An hour is long enough to lose a project. */
async function maySave(app: App, row: RequestRow): Promise<boolean> {
  const person = { userId: row.userId, boundTo: row.organizationId };
  return findProject(app.pool, person, projectOf(row)).then(
    () => true,
    (error) => {
      if (error instanceof ApiError) return false;
      throw error;
    },
  );
}

async function tryServer(app: App, row: RequestRow, signal: AbortSignal): Promise<Outcome> {
  try {
    const connection = await reach(app, row, signal);
    const serverName = nameOf(connection);
    await connection.close();
    return { kind: "answers", serverName };
  } catch (error) {
    signal.throwIfAborted();
    if (!isMcpError(error)) throw error;
    return { kind: "fails", failure: validationFailure(error) };
  }
}

/** What the server calls itself, when that can be a name here. */
export function nameOf({ serverInfo }: Connection): string | undefined {
  const { title, name } = serverInfo as { title?: unknown; name?: unknown };
  const words = [title, name].find((word): word is string => typeof word === "string" && word.trim() !== "");
  // Control, format and direction characters could draw over the lists that show it.
  return words?.replaceAll(/\p{C}/gu, "").trim().slice(0, 100) || undefined;
}

async function settleFailure(app: App, tx: Transaction, row: RequestRow, failure: ConnectionFailure) {
  if (!failure.isTransient) {
    await fail(app, tx, row.id, failure.error);
    return;
  }
  const pauseMs = Math.min(firstPauseMs * 2 ** (row.attempt - 1), longestPauseMs);
  await startValidation(app, tx, row, "validateAgain", { error: failure.error }, app.now() + pauseMs);
}

/** The server, its credential and the end of the request are one: all are there, or none. */
async function save(
  app: App,
  tx: Transaction,
  asked: RequestRow,
  serverName: string | undefined,
): Promise<void> {
  // Read again inside the transaction: tokens may have been renewed by the connection that was just proved.
  const row = await findRequest(tx, asked.id);
  if (row?.status !== "validating") return;
  const part = openPart(app.vault, row);
  const projectId = projectOf(row);
  const target = await findTarget(app, tx, projectId, part.url, row.serverId ?? undefined);
  if (target.kind === "ambiguous") {
    const error = connectionError("AMBIGUOUS_SERVER", "Several saved servers have this address.");
    await fail(app, tx, row.id, { ...error, candidates: target.candidates });
    return;
  }
  const { id } =
    target.kind === "known"
      ? await connectKnown(app, tx, row, target.id, part)
      : await saveNew(app, tx, row, part, serverName);
  if (part.credential)
    await writeCredential(
      app,
      tx,
      { serverId: id, userId: row.userId, serverUrl: part.url },
      part.credential,
    );
  await advance(app, tx, row.id, "connect", { serverId: id, error: null });
}

async function connectKnown(
  app: App,
  tx: Transaction,
  row: RequestRow,
  id: ServerId,
  part: SealedPart,
): Promise<{ id: ServerId }> {
  const server = stillThere(await findServer(tx, projectOf(row), id));
  if (!part.credential || server.settings.useOAuth) return server;
  return updateServer(app, tx, server, row.userId, { useOAuth: true });
}

async function saveNew(
  app: App,
  tx: Transaction,
  row: RequestRow,
  part: SealedPart,
  serverName: string | undefined,
): Promise<{ id: ServerId }> {
  const wanted = row.name ?? serverName ?? new URL(part.url).hostname;
  const projectId = projectOf(row);
  const taken = new Set((await listServers(tx, projectId)).map(({ name }) => name.toLowerCase()));
  return createServer(app, tx, projectId, row.userId, {
    name: freeName(wanted, taken),
    enabled: true,
    transportType: "http",
    url: part.url,
    useOAuth: part.credential !== undefined,
  });
}

/** "Bookshop", then "Bookshop 2"; taken names are in lower case. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted} ${count}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}
