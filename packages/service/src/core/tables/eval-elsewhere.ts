/** @module What reaches runs from elsewhere: uploaded files, and the repositories of code hosts whose pull requests run a suite. */
import type { EvalArtifactId, EvalCheckRepoId, EvalRunId, EvalSuiteId } from "@fettle/contract/core";
import { bigint, boolean, customType, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { author, goesWithOrganization } from "./accounts.ts";
import { evalRuns } from "./eval-runs.ts";
import { evalSuites } from "./eval-suites.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** A file that belongs to results reported from elsewhere. Without content: an address was given out, and nothing came yet. */
export const evalArtifacts = pgTable(
  "eval_artifacts",
  {
    id: text("id").$type<EvalArtifactId>().primaryKey(),
    projectId: ofProject(),
    /** Of the secret in the address that takes the upload; null once it was used. */
    ticketHash: text("ticket_hash"),
    sha256: text("sha256"),
    contentType: text("content_type"),
    content: bytes("content"),
    size: integer("size"),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    /** The address before it was used, the file afterwards. */
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("eval_artifacts_ticket").on(table.ticketHash),
    index("eval_artifacts_project").on(table.projectId),
    index("eval_artifacts_expiry").on(table.expiresAt),
  ],
);

export const evalCheckRepos = pgTable(
  "eval_check_repos",
  {
    id: text("id").$type<EvalCheckRepoId>().primaryKey(),
    organizationId: goesWithOrganization(),
    projectId: ofProject(),
    suiteId: text("suite_id")
      .$type<EvalSuiteId>()
      .notNull()
      .references(() => evalSuites.id, { onDelete: "cascade" }),
    /** `owner/name`, as the code host spells it. */
    repo: text("repo").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    outagePolicy: text("outage_policy", { enum: ["fail_open", "fail_closed"] }).notNull(),
    /** Runs are launched as this person, whose rights are asked for each time. */
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("eval_check_repos_name").on(table.organizationId, table.repo),
    index("eval_check_repos_repo").on(table.repo),
    index("eval_check_repos_suite").on(table.suiteId),
  ],
);

/** A commit of a pull request that is checked: one run, and what the code host was told of it. */
export const evalCheckRuns = pgTable(
  "eval_check_runs",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    repoId: text("repo_id")
      .$type<EvalCheckRepoId>()
      .notNull()
      .references(() => evalCheckRepos.id, { onDelete: "cascade" }),
    headSha: text("head_sha").notNull(),
    branch: text("branch"),
    pullRequest: integer("pull_request").notNull(),
    runId: text("run_id")
      .$type<EvalRunId>()
      .references(() => evalRuns.id, { onDelete: "set null" }),
    /** Why no run could be launched. */
    error: text("error"),
    /** The code host's own id of the check. */
    externalId: text("external_id"),
    /** What the code host was last told, so that it is told only of changes. */
    told: text("told"),
    failures: integer("failures").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("eval_check_runs_commit").on(table.repoId, table.headSha),
    index("eval_check_runs_run").on(table.runId),
  ],
);
