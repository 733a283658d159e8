/** @module The SQL of a live call: the saved server and the caller's credential for it, in one round trip. */
import type { ProjectId, ServerId, UserId } from "@fettle/contract/core";
import { and, type Column, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../../core/db/pool.ts";
import type { ReadAlong } from "../../core/routing/read-along.ts";
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

const prefixed = (prefix: string, columns: Record<string, Column>) =>
  Object.entries(columns).map(([field, column]) => ({ field, column, name: `${prefix}_${column.name}` }));
const ofServer = prefixed("server", getTableColumns(servers));
const ofCredential = prefixed("credential", getTableColumns(serverCredentials));

/** The same server as `findSavedServer`, together with the credential that asks for it. */
export const savedServerAlong: ReadAlong<SavedServer> = {
  name: "saved_server",
  param: "serverId",
  sql: ({ project, id, user }) => `
    SELECT ${selected("server", ofServer)}, server.xmin::text AS server_version,
           ${selected("credential", ofCredential)}, credential.xmin::text AS credential_version
    FROM servers AS server
    LEFT JOIN server_credentials AS credential
      ON credential.server_id = server.id AND credential.user_id = ${user}
    WHERE server.id = ${id} AND server.project_id = ${project} AND server.deleted_at IS NULL`,
  read(row) {
    const { server_version: version, credential_version: credentialVersion } = row;
    if (typeof version !== "string") return undefined;
    return {
      // The columns of the two tables, each as its own type reads it.
      ...(fieldsOf(row, ofServer) as ServerRow),
      version,
      credential:
        typeof credentialVersion === "string"
          ? { ...(fieldsOf(row, ofCredential) as CredentialRow), version: credentialVersion }
          : undefined,
    };
  },
};

function selected(table: string, columns: typeof ofServer): string {
  return columns.map(({ column, name }) => `${table}."${column.name}" AS ${name}`).join(", ");
}

function fieldsOf(row: Record<string, unknown>, columns: typeof ofServer): unknown {
  return Object.fromEntries(
    columns.map(({ field, column, name }) => {
      const value = row[name];
      return [field, value === null ? null : column.mapFromDriverValue(value)];
    }),
  );
}
