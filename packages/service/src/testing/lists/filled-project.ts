/**
 * @module A project whose lists are long, filled by the database itself within seconds. `grow` adds to it, so that the same lists can be
 * read while they are short and once they are long. What grows with every call and every iteration gets all rows, visits half of
 * them, and what grows with runs or by hand a tenth.
 */
import type { ProjectId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { App } from "../../core/app.ts";
import { withoutQueryTimeout } from "../../core/db/query-timeout.ts";
import { sealEndpoint } from "../../servers/saved/endpoint.ts";
import { listServers, updateServer } from "../../servers/saved/store.ts";
import { operationInputs } from "../operation-inputs.ts";
import { makeWorld, type World } from "../world.ts";
import { evalRows } from "./eval-rows.ts";
import { serverRows } from "./server-rows.ts";
import { visitorRows } from "./visitor-rows.ts";

export interface FilledProject {
  world: World;
  projectId: ProjectId;
  environmentId: string;
  scenarioId: string;
  /** Rows numbered up to this one are there. */
  grow(upTo: number): Promise<void>;
}

/** What a statement may name, beside `:from` and `:to`, the first and the last number of the rows to add. */
type Named = Record<"project" | "organization" | "owner" | "other" | "scenario" | "environment", string>;

export async function fillProject(app: App): Promise<FilledProject> {
  const world = await makeWorld(app.db);
  const published = await operationInputs.listUserTestingSessions?.params?.(world, app);
  const environmentId = must(published?.environmentId, "an environment");
  const scenarioId = must(published?.scenarioId, "a scenario");
  const { projectId, organizationId, people } = world;
  const named: Named = {
    project: projectId,
    organization: organizationId,
    owner: people.owner.userId,
    other: people.admin.userId,
    scenario: scenarioId,
    environment: environmentId,
  };
  const groups = [serverRows, evalRows, visitorRows];
  const run = async (statements: readonly string[], from: number, to: number) => {
    for (const statement of statements) {
      await withoutQueryTimeout(() => app.pool.query(written(statement, { ...named, from, to })));
    }
  };
  for (const { before } of groups) await run(before, 0, 0);
  // Each for itself: what is sealed for one server cannot be opened for another.
  for (const { id, updatedAt } of await listServers(app.db, projectId)) {
    const sealed = sealEndpoint(app.vault, id, { url: "https://mcp.example" });
    await updateServer(app.db, id, { sealed, updatedAt });
  }
  let filled = 0;
  return {
    world,
    projectId,
    environmentId,
    scenarioId,
    async grow(upTo) {
      await Promise.all(groups.map(({ each }) => run(each, filled + 1, upTo)));
      filled = upTo;
      // As the database does by itself a while after so much was written.
      await withoutQueryTimeout(() => app.pool.query("VACUUM ANALYZE"));
    },
  };
}

/** `before`: what the rows belong to. `each`: the rows from one number to another. */
export interface Rows {
  before: readonly string[];
  each: readonly string[];
}

/** Every value is an id of ours or a number. */
const written = (statement: string, values: Record<string, string | number>): string =>
  statement.replaceAll(/:(?<!::)([a-z]+)\b/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? String(value) : `'${value}'`;
  });
