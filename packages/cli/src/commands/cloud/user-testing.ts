/** @module `cloud user-testing`: what visitors of a scenario did, and who may come. */
import { ratingText } from "@fettle/contract/visitors";
import { operationCommand } from "../../cloud/operation-command.ts";
import { cursor } from "../../cloud/paging-flags.ts";
import { style, text } from "../../output/text.ts";
import { group } from "../../program/command.ts";
import { type Flag, flags } from "../../program/flag.ts";
import { limit, scenario, userTestingInsightsCommands } from "./user-testing-insights.ts";

const session = { parameter: "sessionId", value: "id", help: "The session" } as const;

/** Said either way: what is not said would be turned off without a word. */
const either = (help: string, required = true): Flag => ({
  kind: "choice",
  choices: ["true", "false"],
  value: "true|false",
  help,
  ...(required && { required }),
});

const guestSwitches = flags({
  enabled: either("Whether people without an account may take part"),
  "computer-enabled": either("Whether they may use a computer"),
  "shared-skills-enabled": either("Whether their model is told the environment's skills"),
  "harness-enabled": either("Whether they may use a harness", false),
  "require-approval-for-writes": either("Whether they are asked before a tool changes something", false),
});

const at = (time: number) => new Date(time).toISOString();

export const cloudUserTestingCommands = [
  group({
    name: "cloud user-testing",
    section: "cloud",
    summary: "What visitors of a scenario did, and who may come",
    description: [
      "A narrower mode, removing a person, and taking guests out end open sessions at once. What is published is under `cloud scenarios`.",
    ],
  }),
  operationCommand({
    operation: "getUserTestingScenario",
    name: "cloud user-testing get",
    summary: "Show a scenario and, to workspace members, its findings",
    flags: { scenario },
    examples: { "By id or name": "fettle cloud user-testing get --scenario 'Find a book'" },
    shows: "outline",
  }),
  operationCommand({
    operation: "listUserTestingSessions",
    name: "cloud user-testing sessions",
    summary: "List visitors' sessions, the latest first",
    flags: {
      scenario,
      feedback: { field: "feedback", help: "Only rated ones, or badly rated ones" },
      auth: { field: "authType", help: "Only of guests, or of people who are signed in" },
      population: { field: "population", help: "Only of real visitors, or of tries" },
      state: { field: "state", help: "Only open ones, or ended ones" },
      limit,
      cursor,
    },
    examples: { "What went badly": "fettle cloud user-testing sessions --scenario Shop --feedback negative" },
    shows: {
      noun: "session",
      table: {
        ID: "id",
        SAID: "preview",
        VISITOR: ({ visitor }) => visitor.displayName ?? visitor.authType,
        MESSAGES: "messageCount",
        ERRORS: ({ toolErrorCount = 0 }) => toolErrorCount,
        RATING: ({ feedback: { rating, style: given } }) =>
          rating === null || given === null ? "-" : ratingText(rating, given),
        LAST: ({ lastActivityAt }) => at(lastActivityAt),
      },
      shrinks: ["SAID", "VISITOR"],
    },
    next: ({ items: [first] }) =>
      first && `fettle cloud user-testing session --scenario <id> --session ${first.id}`,
  }),
  operationCommand({
    operation: "getUserTestingSession",
    name: "cloud user-testing session",
    summary: "Show what was said in one session",
    description: ["What tools were sent and gave back is left out."],
    flags: { scenario, session, limit, cursor },
    examples: { Read: "fettle cloud user-testing session --scenario Shop --session cht_..." },
    shows: "outline",
  }),
  operationCommand({
    operation: "getUserTestingMetrics",
    name: "cloud user-testing metrics",
    summary: "Count sessions, tool errors, ratings and waiting times",
    flags: {
      scenario,
      population: { field: "population", help: "Of real visitors, which is usual, or of tries" },
    },
    examples: { Numbers: "fettle cloud user-testing metrics --scenario Shop" },
    shows: "outline",
  }),
  operationCommand({
    operation: "getUserTestingUsage",
    name: "cloud user-testing usage",
    summary: "Show which models, tools and servers were used",
    flags: { scenario },
    examples: { "What was called": "fettle cloud user-testing usage --scenario Shop" },
    shows: "outline",
  }),
  ...userTestingInsightsCommands,
  operationCommand({
    operation: "updateUserTestingScenario",
    name: "cloud user-testing update",
    summary: "Rename a scenario, or change who may open it",
    description: ["--mode stands alone: a narrower one ends open sessions at once."],
    flags: {
      scenario,
      name: { field: "name", help: "What visitors read" },
      description: { field: "description", value: "text", help: "What visitors are asked to do" },
      mode: { field: "mode", help: "Who may open the link" },
      feedback: { field: "feedback", help: "How visitors rate answers" },
    },
    changes: true,
    examples: {
      "Only people of the project": "fettle cloud user-testing update --scenario Shop --mode project_members",
    },
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "setGuestExecution",
    name: "cloud user-testing guest-execution",
    summary: "Set what guests may use up; all of it is said",
    description: ["Replaces every setting. Needs project admin. Turning guests off ends their sessions."],
    flags: {
      scenario,
      ...guestSwitches,
      "daily-credit-cap": {
        field: "dailyCreditCap",
        value: "credits",
        help: "What models may cost a day, in hundredths of a dollar",
      },
      "daily-computer-start-cap": {
        field: "dailyComputerStartCap",
        value: "n",
        help: "Computers started a day",
      },
      "max-concurrent-computers": { field: "maxConcurrentComputers", value: "n", help: "Computers at once" },
      "daily-harness-spend-cap-micros": {
        field: "dailyHarnessSpendCapMicros",
        value: "n",
        help: "What a harness may cost a day",
      },
      "daily-harness-call-cap": {
        field: "dailyHarnessCallCap",
        value: "n",
        help: "Calls of a harness a day",
      },
      "max-concurrent-harness-runs": {
        field: "maxConcurrentHarnessRuns",
        value: "n",
        help: "Runs of a harness at once",
      },
      "max-turns": { field: "maxTurnsPerSession", value: "n", help: "Messages in one session" },
      "max-sessions": {
        field: "maxSessionsPerVisitorPerDay",
        value: "n",
        help: "Sessions of one visitor a day",
      },
      "max-tool-calls": { field: "maxToolCallsPerTurn", value: "n", help: "Calls of tools in one answer" },
      "tool-mode": { field: "toolMode", help: "Only reading tools, or all" },
    },
    body: ({ flags: said }, fields) => {
      const isOn = (value: unknown) => (value === undefined ? undefined : value === "true");
      return {
        ...fields,
        enabled: isOn(said.enabled),
        computerEnabled: isOn(said.computerEnabled),
        sharedSkillsEnabled: isOn(said.sharedSkillsEnabled),
        harnessEnabled: isOn(said.harnessEnabled),
        requireApprovalForWrites: isOn(said.requireApprovalForWrites),
      };
    },
    examples: {
      "Guests may spend half a dollar a day":
        "fettle cloud user-testing guest-execution --scenario Shop --enabled true --computer-enabled false --shared-skills-enabled true --daily-credit-cap 50 --daily-computer-start-cap 0 --max-concurrent-computers 0",
    },
    shows: {
      text: ({ enabled, dailyCreditCap }) =>
        text`${style.green("✓")} Guests are ${enabled ? "on" : "off"}; their models may cost $${(dailyCreditCap / 100).toFixed(2)} a day`,
    },
  }),
  operationCommand({
    operation: "rotateScenarioLink",
    name: "cloud user-testing rotate-link",
    summary: "Replace the link; the old one opens nothing any more",
    flags: {
      scenario,
      "evict-redeemed": { field: "evictRedeemed", help: "Also end the sessions of all who came by it" },
    },
    examples: { "It leaked": "fettle cloud user-testing rotate-link --scenario Shop --evict-redeemed" },
    shows: { text: ({ link }) => text`${style.green("✓")} The link is now\n${link ?? ""}` },
  }),
  operationCommand({
    operation: "upsertScenarioMember",
    name: "cloud user-testing invite",
    summary: "Invite a person, and print the link that is theirs",
    flags: {
      scenario,
      email: { field: "email", help: "Their address" },
      "send-invite-email": { field: "sendInviteEmail", help: "Send them a letter with the link" },
    },
    examples: { Invite: "fettle cloud user-testing invite --scenario Shop --email ana@example.com" },
    shows: {
      text: ({ email, invited, link }) =>
        text`${style.green("✓")} ${style.bold(email)} is invited${invited ? ", and a letter is on its way" : "; hand over the link"}\n${link}`,
    },
  }),
  operationCommand({
    operation: "removeScenarioMember",
    name: "cloud user-testing remove-member",
    summary: "Remove a person, and end their sessions at once",
    flags: {
      scenario,
      member: { parameter: "memberIdOrEmail", value: "id-or-email", help: "The person" },
    },
    examples: { Remove: "fettle cloud user-testing remove-member --scenario Shop --member ana@example.com" },
    shows: { text: ({ removed }) => text`${style.green("✓")} Removed ${removed}` },
  }),
  operationCommand({
    operation: "rebindScenario",
    name: "cloud user-testing rebind",
    summary: "Point a scenario at another environment",
    description: ["Link, people and history stay. Needs project admin."],
    flags: {
      scenario,
      environment: {
        field: "environmentId",
        find: "environment",
        value: "id-or-name",
        help: "The environment",
      },
    },
    examples: {
      "To the next version": "fettle cloud user-testing rebind --scenario Shop --environment 'Shop 2'",
    },
    shows: { done: "Rebound" },
  }),
];
