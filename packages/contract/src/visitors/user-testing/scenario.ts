/** @module A scenario: an environment published for real visitors, with the findings over its latest analyzed window. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { limits } from "../../core/limits/limits.ts";
import { ExpectedUpdatedAt, Timestamp } from "../../core/timestamp.ts";
import { InsightsEnvelope } from "../../insights/insights.ts";
import { Email } from "../../people/session.ts";
import { feedbackStyles, scenarioModes } from "./words.ts";

const { text, userTesting } = limits;

const Name = z.string().trim().min(1).max(text.nameLength);
const Description = z.string().trim().max(text.descriptionLength);
const Mode = z.enum(scenarioModes);
const Feedback = z.enum(feedbackStyles).describe("How visitors rate answers");

/** The read has no `accessVersion`; publishing and rebinding answer with it. */
export const UserTestingScenarioDetail = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    mode: z.string().nullable().describe("`project_members`, `invited_only` or `anyone_with_link`"),
    environmentId: z.string().nullable(),
    insights: InsightsEnvelope.optional().describe(
      "For workspace members. Absent means the same as an envelope that is `not_available`",
    ),
  })
  .meta({ id: "UserTestingScenarioDetail" });
export type UserTestingScenarioDetail = z.output<typeof UserTestingScenarioDetail>;

export const ScenarioPublishRequest = z
  .strictObject({
    name: Name.optional().describe("Absent: the environment's name"),
    description: Description.optional(),
    mode: Mode.optional().describe("Absent: `project_members`"),
    feedback: Feedback.optional(),
  })
  .meta({ id: "ScenarioPublishRequest" });
export type ScenarioPublishRequest = z.output<typeof ScenarioPublishRequest>;

/** What publishing and rebinding answer. */
export const Scenario = z
  .object({
    id: z.string(),
    projectId: z.string(),
    environmentId: z.string(),
    name: z.string(),
    mode: Mode,
    accessVersion: z.int().describe("Grows whenever access is narrowed; what was begun before is then over"),
    link: z
      .string()
      .nullable()
      .describe("What to hand to visitors; whoever has it may use it as `mode` says"),
    created: z.boolean().optional(),
    overridesIgnored: z
      .boolean()
      .optional()
      .describe("It was published before, so name, description and mode stayed as they were"),
  })
  .meta({ id: "Scenario" });
export type Scenario = z.output<typeof Scenario>;

export const ScenarioDeleted = z
  .object({ environmentId: z.string(), deleted: z.boolean(), id: z.string().optional() })
  .meta({ id: "ScenarioDeleted" });

export const UserTestingScenario = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    mode: Mode.nullable(),
    feedback: z.enum(feedbackStyles),
  })
  .meta({ id: "UserTestingScenario" });
export type UserTestingScenario = z.output<typeof UserTestingScenario>;

const modeAlone = "Change the mode in a call of its own: it may end people's sessions.";

export const ScenarioUpdateRequest = z
  .strictObject({
    name: Name.optional(),
    description: Description.optional(),
    mode: Mode.optional().describe("Alone; a narrower one ends open sessions at once"),
    feedback: Feedback.optional(),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .superRefine(({ expectedUpdatedAt: _, ...body }, context) => {
    const fields = Object.keys(body);
    if (fields.length === 0) context.addIssue({ code: "custom", message: "Nothing to change" });
    if (body.mode !== undefined && fields.length > 1) {
      context.addIssue({
        code: "custom",
        message: modeAlone,
        path: ["mode"],
        params: { code: "MODE_ALONE" },
      });
    }
  })
  .meta({ id: "ScenarioUpdateRequest" });
export type ScenarioUpdateRequest = z.output<typeof ScenarioUpdateRequest>;

const count = z.int().min(0).max(userTesting.counts);

/** What guests may use up. The first six are always said; what is left out of the rest is as it is at first. */
export const GuestExecution = z
  .strictObject({
    enabled: z.boolean().describe("Whether people without an account may take part at all"),
    computerEnabled: z.boolean(),
    sharedSkillsEnabled: z.boolean().describe("Whether the environment's skills are told to their model"),
    dailyCreditCap: z
      .number()
      .min(0)
      .max(userTesting.creditCap)
      .describe(
        "What models may cost a day, over all visitors who are not of the project; in hundredths of a dollar",
      ),
    dailyComputerStartCap: count,
    maxConcurrentComputers: count,
    harnessEnabled: z.boolean().optional(),
    dailyHarnessSpendCapMicros: z.int().min(0).max(1e12).optional(),
    dailyHarnessCallCap: count.optional(),
    maxConcurrentHarnessRuns: count.optional(),
    maxTurnsPerSession: z
      .int()
      .min(1)
      .max(userTesting.turnsPerSession.max)
      .default(userTesting.turnsPerSession.fallback),
    maxSessionsPerVisitorPerDay: z
      .int()
      .min(1)
      .max(userTesting.sessionsPerVisitorPerDay.max)
      .default(userTesting.sessionsPerVisitorPerDay.fallback),
    maxToolCallsPerTurn: z.int().min(0).max(limits.chat.toolCalls).default(limits.chat.toolCalls),
    toolMode: z
      .enum(["read_only", "auto"])
      .default("read_only")
      .describe("`read_only`: tools that say of themselves that they change nothing"),
    requireApprovalForWrites: z
      .boolean()
      .default(true)
      .describe("Visitors are asked before a tool that is not read-only is called"),
  })
  .meta({ id: "GuestExecution" });
export type GuestExecution = z.output<typeof GuestExecution>;

export const GuestExecutionSet = GuestExecution.extend({
  id: z.string(),
  projectId: z.string(),
  guestExecution: GuestExecution,
}).meta({ id: "GuestExecutionSet" });

export const ScenarioLinkRotateRequest = z
  .strictObject({
    evictRedeemed: z
      .boolean()
      .default(false)
      .describe("Also ends the sessions of everybody who came by the old link"),
  })
  .meta({ id: "ScenarioLinkRotateRequest" });

export const ScenarioLinkRotated = z
  .object({ id: z.string(), projectId: z.string(), rotated: z.literal(true), link: z.string().nullable() })
  .meta({ id: "ScenarioLinkRotated" });

export const ScenarioMemberRequest = z
  .strictObject({ email: Email, sendInviteEmail: z.boolean().default(false) })
  .meta({ id: "ScenarioMemberRequest" });

/** A person who is invited to a scenario. */
export const ScenarioMember = z
  .object({ id: z.string(), email: z.string(), createdAt: Timestamp, lastVisitAt: Timestamp.nullable() })
  .meta({ id: "ScenarioMember" });
export type ScenarioMember = z.output<typeof ScenarioMember>;

export const ScenarioMemberAdded = UserTestingScenario.extend({
  scenarioId: z.string(),
  email: z.string(),
  memberId: z.string(),
  invited: z.boolean().describe("Whether a letter was sent; if not, hand over the link"),
  link: z.string().describe("Theirs alone: it lets in who has no account here, too"),
}).meta({ id: "ScenarioMemberAdded" });

export const ScenarioMemberRemoved = z
  .object({ scenarioId: z.string(), projectId: z.string(), removed: z.string() })
  .meta({ id: "ScenarioMemberRemoved" });

export const ScenarioRebindRequest = z
  .strictObject({ environmentId: idOf<"environment">() })
  .meta({ id: "ScenarioRebindRequest" });

const ScenarioLink = z.object({ path: z.string(), url: z.string() });

const published = {
  id: z.string(),
  projectId: z.string().nullable(),
  environmentId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  mode: Mode.nullable(),
  hostStyle: z.string().nullable(),
  hostId: z.string().nullable(),
  hostName: z.string().nullable(),
  serverCount: z.int(),
  serverNames: z.array(z.string()),
  link: ScenarioLink.nullable(),
  sessionCount: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** A row of what a project has published. */
export const ProjectScenario = z.object(published).meta({ id: "ProjectScenario" });
export type ProjectScenario = z.output<typeof ProjectScenario>;

export const ScenarioDetail = z
  .object({
    ...published,
    modelId: z.string().nullable(),
    systemPrompt: z.string().nullable(),
    temperature: z.number().nullable(),
    requireToolApproval: z.boolean(),
    servers: z.array(
      z.object({ id: z.string(), name: z.string(), url: z.string().nullable(), useOAuth: z.boolean() }),
    ),
    feedback: z.enum(feedbackStyles),
    guestExecution: GuestExecution,
    memberCount: z.int(),
    liveSessionCount: z.int().describe("Sessions that are open and were used a short while ago"),
    unavailable: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe("Why visitors cannot begin at the moment"),
  })
  .meta({ id: "ScenarioDetail" });
export type ScenarioDetail = z.output<typeof ScenarioDetail>;
