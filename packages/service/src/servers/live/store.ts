/** @module The SQL of a live call: the saved server and the caller's credential for it, in one round trip. */
import type { ProjectId, ServerId, UserId } from "@fettle/contract/core";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../../core/db/pool.ts";
import { serverCredentials } from "../../core/tables/live.ts";
import { liveServer, servers } from "../../core/tables/servers.ts";
import type { ServerRow } from "../saved/store.ts";
import type { CredentialRow } from "./credentials-store.ts";

/** A saved server as one caller reaches it. The versions are others after every change of their row. */
export interface SavedServer extends ServerRow {
  version: string;
  credential: (CredentialRow & { version: string }) | undefined;
}

/** Made once per database: putting the statement together costs more than running it. */
const statements = new WeakMap<Database, ReturnType<typeof prepare>>();

function prepare(db: Database) {
  const mine = eq(serverCredentials.userId, sql.placeholder("userId"));
  return db
    .select({
      server: getTableColumns(servers),
      version: sql<string>`${servers}.xmin::text`,
      credential: getTableColumns(serverCredentials),
      credentialVersion: sql<string | null>`${serverCredentials}.xmin::text`,
    })
    .from(servers)
    .leftJoin(serverCredentials, and(eq(serverCredentials.serverId, servers.id), mine))
    .where(
      and(
        eq(servers.id, sql.placeholder("id")),
        eq(servers.projectId, sql.placeholder("projectId")),
        liveServer,
      ),
    )
    .prepare("find_saved_server");
}

export async function findSavedServer(
  db: Database,
  /** Without a person there is no credential of theirs. */
  asked: { projectId: ProjectId; id: ServerId; userId: UserId | null },
): Promise<SavedServer | undefined> {
  let statement = statements.get(db);
  if (!statement) {
    statement = prepare(db);
    statements.set(db, statement);
  }
  const [row] = await statement.execute(asked);
  if (!row) return undefined;
  const { server, version, credential, credentialVersion } = row;
  return {
    ...server,
    version,
    credential: credential ? { ...credential, version: credentialVersion ?? "" } : undefined,
  };
}
