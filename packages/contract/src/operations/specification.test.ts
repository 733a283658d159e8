/** The specification's field tables, retyped as data, against our schemas. */
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { ErrorResponse } from "../core/error-response.ts";
import { Client, ClientDetail } from "../environments/client.ts";
import { AdhocEnvironment, Environment } from "../environments/environment.ts";
import {
  ActionableFinding,
  ActionableFindingEvidence,
  InsightScope,
  InsightsEnvelope,
} from "../insights/insights.ts";
import { ServerGroup } from "../servers/server-group.ts";
import { UserTestingScenarioDetail } from "../visitors/user-testing/scenario.ts";

type Fields = Record<string, unknown>;

const updatedBy = { userId: "user_1", name: "Ada" };
const impact = { liveEnvironmentCount: 1, scenarioAttachmentCount: 0, activeLegacyJourneyCount: 0 };

interface Resource {
  name: string;
  schema: z.ZodObject;
  /** A whole one, every optional field present. */
  whole: Fields;
  required: string[];
  optional: string[];
  nullable: string[];
  enums: Record<string, string[]>;
  /** Optional only under a condition; tried further down. */
  conditional?: string[];
  /** What Fettle says besides; whoever reads by the table alone does not notice. */
  ours?: Fields;
}

const evidence = {
  kind: "tool_error",
  excerpt: "429 from upstream",
  sessionId: "cht_1",
  iterationId: "itr_1",
  toolName: "search",
  errorCode: "-32000",
};

const target = {
  serverId: "srv_1",
  toolName: "search",
  surface: "input_schema",
  fieldPath: "query.limit",
  snapshotHash: "sha256:1",
  currentDefinition: { truncated: false, description: "d", inputSchemaJson: "{}", outputSchemaJson: "{}" },
};

const finding = {
  id: "rf_0123456789abcdef",
  signalFingerprint: "sig_1",
  title: "Search fails on long queries",
  category: "tool_contract",
  attribution: "server_contract",
  actionTarget: "mcp_server",
  actionability: "ready",
  severity: "high",
  confidence: "medium",
  observed: "search failed in 3 of 5 iterations",
  rootCause: "limit is not documented",
  recommendation: "Document the limit.",
  acceptanceCriteria: ["search passes 5 of 5"],
  affected: { count: 3, total: 5, unit: "iterations" },
  patternSlug: "undocumented-limit",
  target,
  evidence: [evidence],
};

const scope = {
  kind: "user_testing_window",
  id: "win_1",
  scenarioId: "scn_1",
  windowStartAt: 1,
  windowEndAt: 2,
};

const coverage = {
  unit: "sessions",
  analyzed: 5,
  total: 9,
  gradedCount: 4,
  feedbackCount: 2,
  truncated: true,
  lowConfidence: true,
};

const healthTarget = {
  subjectKind: "environment",
  subjectId: "env_1",
  subjectLabel: "Default",
  attempted: 4,
  succeeded: 2,
  failed: 1,
  rateLimited: 1,
};

const truncation = { truncated: true, omittedFindings: 1, omittedEvidence: 2, contractTruncated: false };

const envelope = {
  schemaVersion: 1,
  scope,
  status: "completed",
  reasonCode: "insights_disabled",
  retryable: false,
  error: { code: "provider_error", message: "m" },
  generatedAt: 3,
  updatedAt: 4,
  summary: "One thing to fix.",
  coverage,
  findings: [finding],
  runHealth: { targets: [healthTarget] },
  truncation,
};

const environment = {
  id: "env_1",
  projectId: "proj_1",
  name: "Default",
  description: "d",
  hostId: "clt_1",
  serverAttachmentId: "grp_1",
  modelId: "fettle/rules-1",
  skillSelection: { mode: "explicit", skillIds: ["skl_1"] },
  pluginVersionIds: ["plv_1"],
  sandboxImageId: "img_1",
  revision: 3,
  archived: true,
  archivedAt: 5,
  createdAt: 1,
  updatedAt: 2,
};

const environmentFields = {
  required: ["id", "projectId", "name", "hostId", "revision", "archived", "createdAt", "updatedAt"],
  optional: [
    "description",
    "serverAttachmentId",
    "modelId",
    "skillSelection",
    "pluginVersionIds",
    "sandboxImageId",
    "archivedAt",
  ],
};

const client = {
  id: "clt_1",
  name: "Claude",
  configId: "sha256:1",
  ownerScope: { kind: "project" },
  hasComputer: false,
  createdAt: 1,
  updatedAt: 2,
};

const resources: Resource[] = [
  {
    name: "Scenario",
    schema: UserTestingScenarioDetail,
    whole: {
      id: "scn_1",
      projectId: "proj_1",
      name: "Shop",
      description: "Buy a book",
      mode: "invited_only",
      environmentId: "env_1",
      insights: envelope,
    },
    required: ["id", "projectId", "name", "description", "mode", "environmentId"],
    optional: ["insights"],
    nullable: ["name", "description", "mode", "environmentId"],
    enums: {},
  },
  {
    name: "InsightsEnvelope",
    schema: InsightsEnvelope,
    whole: envelope,
    required: [
      "schemaVersion",
      "scope",
      "status",
      "reasonCode",
      "retryable",
      "error",
      "generatedAt",
      "updatedAt",
      "summary",
      "coverage",
      "findings",
      "truncation",
    ],
    optional: ["runHealth"],
    nullable: ["reasonCode", "error", "generatedAt", "updatedAt", "summary"],
    enums: { status: ["not_available", "not_requested", "pending", "completed", "failed"] },
  },
  {
    name: "coverage",
    schema: InsightsEnvelope.shape.coverage,
    whole: coverage,
    required: ["unit", "analyzed", "total", "truncated", "lowConfidence"],
    optional: ["gradedCount", "feedbackCount"],
    nullable: [],
    enums: { unit: ["iterations", "sessions"] },
  },
  {
    name: "runHealth target",
    schema: InsightsEnvelope.shape.runHealth.unwrap().shape.targets.element,
    whole: healthTarget,
    required: ["subjectKind", "subjectId", "subjectLabel", "attempted", "succeeded", "failed", "rateLimited"],
    optional: [],
    nullable: [],
    enums: { subjectKind: ["environment", "host"] },
  },
  {
    name: "truncation",
    schema: InsightsEnvelope.shape.truncation,
    whole: truncation,
    required: ["truncated", "omittedFindings", "omittedEvidence", "contractTruncated"],
    optional: [],
    nullable: [],
    enums: {},
  },
  {
    name: "InsightScope",
    schema: InsightScope,
    whole: scope,
    required: ["kind", "id"],
    optional: ["scenarioId", "windowStartAt", "windowEndAt"],
    conditional: ["runId"],
    nullable: [],
    enums: {},
  },
  {
    name: "ActionableFinding",
    schema: ActionableFinding,
    whole: finding,
    required: [
      "id",
      "signalFingerprint",
      "title",
      "category",
      "attribution",
      "actionTarget",
      "actionability",
      "severity",
      "confidence",
      "observed",
      "recommendation",
      "acceptanceCriteria",
      "affected",
      "evidence",
    ],
    optional: ["rootCause", "patternSlug"],
    conditional: ["target"],
    nullable: [],
    enums: {
      category: [
        "unknown",
        "tool_contract",
        "tool_runtime",
        "capability_gap",
        "workflow",
        "agent_behavior",
        "test_design",
        "environment",
      ],
      attribution: [
        "unknown",
        "server_contract",
        "server_runtime",
        "server_capability",
        "agent_or_prompt",
        "test_design",
        "environment",
      ],
      actionTarget: ["investigate", "mcp_server", "agent_configuration", "eval_case", "environment"],
      actionability: ["informational", "investigate", "ready"],
      severity: ["info", "low", "medium", "high"],
      confidence: ["low", "medium", "high"],
    },
  },
  {
    name: "finding target",
    schema: ActionableFinding.shape.target.unwrap(),
    whole: target,
    required: ["serverId", "surface", "snapshotHash"],
    optional: ["toolName", "fieldPath", "currentDefinition"],
    nullable: [],
    enums: {
      surface: [
        "description",
        "input_schema",
        "output_schema",
        "handler",
        "server_instructions",
        "capability",
      ],
    },
  },
  {
    name: "ActionableFindingEvidence",
    schema: ActionableFindingEvidence,
    whole: evidence,
    ours: { messageIndex: 3 },
    required: ["kind", "excerpt"],
    optional: ["sessionId", "iterationId", "toolName", "errorCode"],
    nullable: [],
    enums: { kind: ["tool_error", "transcript", "feedback", "judge", "contrast"] },
  },
  {
    name: "ServerGroup",
    schema: ServerGroup,
    whole: {
      id: "grp_1",
      name: "Shop",
      serverIds: ["srv_1"],
      serverNames: ["bookshop"],
      description: "d",
      createdAt: 1,
      updatedAt: 2,
    },
    required: ["id", "name", "serverIds", "serverNames", "createdAt", "updatedAt"],
    optional: ["description"],
    nullable: [],
    enums: {},
  },
  {
    name: "Error",
    schema: ErrorResponse,
    whole: { code: "A_CODE_OF_NEXT_YEAR", message: "m", details: { any: ["thing"] } },
    required: ["code", "message"],
    optional: ["details"],
    nullable: [],
    enums: {},
  },
  {
    name: "Environment",
    schema: Environment,
    whole: environment,
    ours: { updatedBy },
    ...environmentFields,
    nullable: [],
    enums: {},
  },
  {
    name: "ad-hoc environment",
    schema: AdhocEnvironment,
    whole: { ...environment, name: null, adhoc: true },
    ours: { updatedBy },
    required: [...environmentFields.required, "adhoc"],
    optional: environmentFields.optional,
    nullable: ["name"],
    enums: {},
  },
  {
    name: "Client",
    schema: Client,
    whole: { ...client, modelId: "m", serverCount: 2 },
    ours: { updatedBy, hostStyle: "claude", impact },
    required: [
      "id",
      "name",
      "configId",
      "modelId",
      "serverCount",
      "ownerScope",
      "hasComputer",
      "createdAt",
      "updatedAt",
    ],
    optional: [],
    nullable: ["ownerScope"],
    enums: {},
  },
  {
    name: "client detail",
    schema: ClientDetail,
    whole: {
      ...client,
      config: { modelId: "m", novel: 1 },
      impact,
    },
    ours: { updatedBy },
    required: [
      "id",
      "name",
      "configId",
      "config",
      "ownerScope",
      "hasComputer",
      "createdAt",
      "updatedAt",
      "impact",
    ],
    optional: [],
    nullable: ["ownerScope"],
    enums: {},
  },
];

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

describe.each(resources)(
  "$name",
  ({ schema, whole: listed, required, optional, nullable, enums, conditional = [], ours = {} }) => {
    const whole = { ...listed, ...ours };
    const accepts = (fields: Fields) => schema.safeParse(fields).success;

    it("has exactly the listed fields", () => {
      expect(Object.keys(schema.shape).sort()).toEqual(
        [...required, ...optional, ...conditional, ...Object.keys(ours)].sort(),
      );
    });

    it("is accepted whole", () => {
      expect(schema.safeParse(whole)).toEqual({ success: true, data: whole });
    });

    it("is refused without any one required field", () => {
      expect(required.filter((name) => accepts(without(whole, name)))).toEqual([]);
    });

    it("is accepted without any one optional field", () => {
      expect(optional.filter((name) => !accepts(without(whole, name)))).toEqual([]);
    });

    it("takes null exactly where it is allowed", () => {
      expect([...required, ...optional].filter((name) => accepts({ ...whole, [name]: null })).sort()).toEqual(
        nullable.toSorted(),
      );
    });

    it("ignores fields it does not know", () => {
      expect(schema.safeParse({ ...whole, aFieldOfNextYear: 1 })).toEqual({ success: true, data: whole });
    });

    it("knows exactly the listed values", () => {
      for (const [name, values] of Object.entries(enums)) {
        expect(values.filter((value) => !accepts({ ...whole, [name]: value }))).toEqual([]);
        expect(accepts({ ...whole, [name]: "something_else" })).toBe(false);
      }
    });
  },
);

describe("rules between fields", () => {
  it.each([
    ["eval_run", {}, true],
    ["eval_run", { runId: "run_1" }, false],
    ["eval_run", { scenarioId: "scn_1" }, false],
    ["swarm_wave", { runId: "jrn_1" }, true],
    ["swarm_wave", { windowStartAt: 1 }, false],
    ["user_testing_window", { windowEndAt: 1 }, true],
    ["user_testing_window", { runId: "run_1" }, false],
  ])("a scope of kind %s with %j: %s", (kind, more, expected) => {
    expect(InsightScope.safeParse({ kind, id: "x", ...more }).success).toBe(expected);
  });

  it.each([
    ["mcp_server", "ready", false],
    ["mcp_server", "investigate", true],
    ["eval_case", "ready", true],
  ])("a finding for %s that is %s may lack a target: %s", (actionTarget, actionability, expected) => {
    const bare = without({ ...finding, actionTarget, actionability }, "target");
    expect(ActionableFinding.safeParse(bare).success).toBe(expected);
  });

  it.each(["rf_0123456789ABCDEF", "rf_0123", "f_0123456789abcdef"])("a finding is never called %s", (id) => {
    expect(ActionableFinding.safeParse({ ...finding, id }).success).toBe(false);
  });

  it("an envelope has one schema version", () => {
    expect(InsightsEnvelope.safeParse({ ...envelope, schemaVersion: 2 }).success).toBe(false);
  });

  it("a named environment has a name, an ad-hoc one has none", () => {
    expect(Environment.safeParse({ ...environment, name: null }).success).toBe(false);
    expect(AdhocEnvironment.safeParse({ ...environment, adhoc: true }).success).toBe(false);
  });

  it("an empty pin list is refused; leaving it out is how nothing is pinned", () => {
    expect(Environment.safeParse({ ...environment, pluginVersionIds: [] }).success).toBe(false);
  });
});
