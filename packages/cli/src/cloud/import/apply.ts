/** @module Carries an import out: what is new first, and taken back when anything fails. */
import { CliError, toCliError } from "../../cli-error.ts";
import type { InProject } from "../in-project.ts";
import type { PlannedServer } from "./plan.ts";

/** Saves what is planned and notes the ids in it. Replaced servers cannot be taken back, for their secrets cannot be read; they come last and are named. */
export async function applyImport(
  { client, projectId }: Pick<InProject, "client" | "projectId">,
  planned: readonly PlannedServer[],
): Promise<void> {
  const made: Made[] = [];
  const replaced: PlannedServer[] = [];
  const inOrder = [...planned].sort(
    (a, b) => Number(a.action === "replace") - Number(b.action === "replace"),
  );
  for (const server of inOrder) {
    const { action, body, id } = server;
    if (!body) continue;
    try {
      if (action === "create") {
        const saved = await client.createProjectServer({ projectId, body });
        server.id = saved.id;
        // Named by nobody, it may still have been the only one there is.
        if (saved.sandboxImageId !== undefined) server.image ??= { id: saved.sandboxImageId };
        made.push({ id: saved.id, savedAs: server.savedAs });
      } else if (action === "replace" && id !== undefined) {
        // Said in full: a header the file no longer has must not stay.
        const change = body.transportType === "http" ? { headers: {}, ...body } : { env: {}, ...body };
        const forget = body.clientSecret === undefined && { clearClientSecret: true as const };
        const { credentialsDropped } = await client.updateProjectServer({
          projectId,
          serverId: id,
          body: { ...change, ...forget },
        });
        server.credentialsDropped = [
          ...new Set([...(server.credentialsDropped ?? []), ...credentialsDropped]),
        ];
        replaced.push(server);
      }
    } catch (error) {
      throw await takeBack(error, server, made, replaced, (serverId) =>
        client.deleteProjectServer({ projectId, serverId }),
      );
    }
  }
}

interface Made {
  id: string;
  savedAs: string;
}

async function takeBack(
  error: unknown,
  failed: PlannedServer,
  made: readonly Made[],
  replaced: readonly PlannedServer[],
  remove: (serverId: string) => Promise<unknown>,
): Promise<CliError> {
  const left: string[] = [];
  for (const { id, savedAs } of made) {
    await remove(id).catch(() => left.push(`${savedAs} (${id})`));
  }
  const { code, message, details } = toCliError(error);
  const names = replaced.map(({ savedAs }) => savedAs);
  const rest =
    left.length > 0
      ? `These were saved and could not be removed again: ${left.join(", ")}.`
      : names.length > 0
        ? `Nothing new was saved, but these were replaced before: ${names.join(", ")}.`
        : "Nothing was saved.";
  return new CliError(code, `${failed.name} could not be saved: ${message} ${rest}`, {
    details: { ...(details as object), server: failed.name, replaced: names, left },
    cause: error,
  });
}
