/** @module Repositories whose pull requests run a suite: which there are, and connecting one. */

import { ApiError, type EvalSuiteId, type OrganizationId, type ProjectId } from "@fettle/contract/core";
import { asc, eq } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId } from "../../core/id.ts";
import type { Bindings, SignedInCaller } from "../../core/routing/bind.ts";
import { missing, notFound } from "../../core/routing/not-found.ts";
import { evalCheckRepos } from "../../core/tables/eval-elsewhere.ts";
import { findProject } from "../../http/caller/access.ts";
import { findSuite } from "../suites/store.ts";
import { openCodeHost, requireCodeHost } from "./code-host.ts";

export async function listCheckRepos(app: App, organizationId: OrganizationId) {
  const rows = await app.db
    .select()
    .from(evalCheckRepos)
    .where(eq(evalCheckRepos.organizationId, organizationId))
    .orderBy(asc(evalCheckRepos.repo));
  const { codeHost } = app.config;
  return {
    organizationId,
    available: codeHost !== undefined,
    items: rows.map(({ id, repo, enabled, suiteId, projectId, outagePolicy, createdAt, updatedAt }) => ({
      id,
      repo,
      enabled,
      suiteId,
      projectId,
      outagePolicy,
      createdAt: createdAt.getTime(),
      updatedAt: updatedAt.getTime(),
    })),
    connectable: codeHost ? await connectable(app) : null,
  };
}

/** Null: it could not be asked, which is not the same as none. */
async function connectable(app: App): Promise<{ repo: string }[] | null> {
  try {
    using host = openCodeHost(requireCodeHost(app.config));
    return (await host.listRepos()).map((repo) => ({ repo }));
  } catch (error) {
    app.log.warn("the code host could not be asked for its repositories", { error });
    return null;
  }
}

export async function connectRepo(
  app: App,
  organizationId: OrganizationId,
  caller: SignedInCaller,
  wanted: {
    projectId: ProjectId;
    suiteId: EvalSuiteId;
    repo: string;
    outagePolicy: "fail_open" | "fail_closed";
  },
) {
  const config = requireCodeHost(app.config);
  const { projectId, suiteId, outagePolicy } = wanted;
  const project = await findProject(app.pool, { userId: caller.userId, boundTo: organizationId }, projectId);
  const suite =
    project.organizationId === organizationId ? await findSuite(app.db, projectId, suiteId) : undefined;
  if (!suite) throw notFound("evalSuite", { path: "body.suiteId" });
  if (!/^[\w.-]+\/[\w.-]+$/.test(wanted.repo)) {
    throw new ApiError("VALIDATION_ERROR", "A repository is written owner/name.", { path: "body.repo" });
  }
  using host = openCodeHost(config);
  const repo = await host.findRepo(wanted.repo);
  if (repo === undefined) {
    const message = "There is no such repository, or the app may not act for it.";
    throw missing(message, "Install the app for the repository, and check its name.", { path: "body.repo" });
  }
  const id = newId("evalCheckRepo", app.now());
  const now = new Date(app.now());
  const made = { id, organizationId, projectId, suiteId, repo, outagePolicy };
  try {
    await app.db
      .insert(evalCheckRepos)
      .values({ ...made, createdBy: caller.userId, createdAt: now, updatedAt: now });
  } catch (error) {
    if (!isUniqueViolation(error, "eval_check_repos_name")) throw error;
    const message = `${repo} is connected already; what it runs is changed where it is shown.`;
    throw new ApiError("CONFLICT", message, { code: "REPO_CONNECTED", reason: "REPO_CONNECTED" });
  }
  return made;
}

export const evalCheckBindings = {
  listEvalCheckRepos: ({ app, organization }) => listCheckRepos(app, organization.id),
  connectEvalCheckRepo: ({ app, organization, caller, body }) =>
    connectRepo(app, organization.id, caller, body),
} satisfies Partial<Bindings>;
