/** @module Sessions of visitors as the tables hold them, without anybody who was there. */
import type { ChatSessionId, ScenarioId } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import { newId } from "../core/id.ts";
import { chatMessages, chatSessions } from "../core/tables/chat.ts";
import { scenarioSessions } from "../core/tables/user-testing.ts";
import { findSession } from "../visitors/user-testing/session-store.ts";
import type { ScenarioRow } from "../visitors/user-testing/store.ts";
import { countOne } from "../visitors/user-testing/tallies.ts";

type Over = Partial<typeof scenarioSessions.$inferInsert>;

/** One in which a guest has said something. */
export async function plantSession(
  app: App,
  scenario: Pick<ScenarioRow, "id" | "projectId">,
  over: Over = {},
): Promise<{ sessionId: ChatSessionId }> {
  const [sessionId] = await plantSessions(app, scenario, [over]);
  return { sessionId: sessionId! };
}

/** Many, in a few statements. */
async function plantSessions(
  app: App,
  { id: scenarioId, projectId }: Pick<ScenarioRow, "id" | "projectId">,
  wanted: readonly Over[],
): Promise<ChatSessionId[]> {
  const now = new Date(app.now());
  const ids = wanted.map(() => newId("chatSession", app.now()));
  await app.db.insert(chatSessions).values(
    ids.map((id) => ({
      id,
      projectId,
      createdBy: null,
      origin: "scenario" as const,
      model: "fettle/rules-1",
      toolMode: "read_only" as const,
      settled: {},
      messageCount: 1,
      turnCount: 1,
      firstMessage: "Hello",
      createdAt: now,
      lastActivityAt: now,
    })),
  );
  const message = { role: "user", text: "Hello" } as const;
  await app.db.insert(chatMessages).values(
    ids.map((sessionId) => ({
      sessionId,
      index: 0,
      turnId: newId("chatTurn", app.now()),
      message,
      words: message.text,
    })),
  );
  await app.db.insert(scenarioSessions).values(
    wanted.map((over, place) => ({
      id: ids[place]!,
      scenarioId,
      accessVersion: 1,
      population: "real" as const,
      authType: "guest" as const,
      recency: "new" as const,
      latencies: [100],
      startedAt: now,
      lastActivityAt: now,
      ...over,
    })),
  );
  await app.db.transaction((tx) => countOne(tx, scenarioId, "real", ids.length));
  return ids;
}

/** The same again, so many times: everything that is kept of a session that was really played. */
export async function copySession(
  app: App,
  sessionId: ChatSessionId,
  count: number,
  into?: ScenarioId,
): Promise<void> {
  const ids = Array.from({ length: Math.ceil(count) }, () => newId("chatSession", app.now()));
  const anew = "split_part(%, '_', 1) || '_' || left(md5(% || copy.id), 26)";
  const changes: [table: string, of: string, changed: string][] = [
    ["chat_sessions", "id", "'id', copy.id"],
    [
      "chat_turns",
      "session_id",
      `'session_id', copy.id, 'scope', copy.id || row.scope, 'id', ${anew.replaceAll("%", "row.id")}`,
    ],
    [
      "chat_messages",
      "session_id",
      `'session_id', copy.id, 'turn_id', ${anew.replaceAll("%", "row.turn_id")}`,
    ],
    ["scenario_sessions", "id", "'id', copy.id, 'scenario_id', coalesce($3, row.scenario_id)"],
    ["scenario_session_tools", "session_id", "'session_id', copy.id"],
  ];
  for (const [table, of, changed] of changes) {
    await app.pool.query(
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(row, jsonb_build_object(${changed}))).*
       FROM ${table} AS row, unnest($2::text[]) AS copy (id) WHERE row.${of} = $1`,
      [sessionId, ids, ...(table === "scenario_sessions" ? [into ?? null] : [])],
    );
  }
  const scenarioId = into ?? (await findSession(app.db, sessionId))?.scenarioId;
  if (scenarioId) await app.db.transaction((tx) => countOne(tx, scenarioId, "real", ids.length));
}
