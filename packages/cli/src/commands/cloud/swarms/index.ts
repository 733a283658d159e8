/** @module `cloud personas`, `cloud journeys` and `cloud swarms`: whom synthetic visitors play, and what they try to get done. */
import { operationCommand } from "../../../cloud/operation-command.ts";
import { text } from "../../../output/text.ts";
import { command, group } from "../../../program/command.ts";
import { calibrationCommands } from "./calibration.ts";
import { draftCommands } from "./drafts.ts";
import { environment, journey, journeyRunFlags } from "./flags.ts";
import { paged, run, swarmInsightsCommands } from "./insights.ts";

const persona = {
  parameter: "personaId",
  find: "persona",
  value: "id-or-name",
  help: "The persona",
} as const;

const swarm = { parameter: "swarmId", find: "swarm", value: "id-or-name", help: "The swarm" } as const;

const who = {
  name: { field: "name", help: "Their name" },
  role: { field: "role", help: "What they are, such as a first-time buyer" },
  notes: { field: "notes", value: "text", help: "What they know and want" },
} as const;

const budget = {
  "sessions-per-target": { field: "sessionsPerTarget", value: "n", help: "How often, in each place" },
  "max-turns": { field: "maxTurns", value: "n", help: "How long one conversation may be" },
} as const;

const clearEnvironments = { clears: "environmentIds", help: "Forget where it is made" } as const;

const inJourney = {
  name: { field: "name", help: "Its name; else the beginning of the goal" },
  goal: { field: "goal", value: "text", help: "What they try to get done" },
} as const;

const inSwarm = {
  name: { field: "name", help: "Its name" },
  description: { field: "description", value: "text", help: "What it is for; blank removes it" },
} as const;

const personas = [
  group({ name: "cloud personas", section: "cloud", summary: "Whom synthetic visitors play" }),
  operationCommand({
    operation: "listPersonas",
    name: "cloud personas list",
    summary: "List a project's personas",
    flags: paged,
    examples: { List: "fettle cloud personas list" },
    shows: {
      noun: "persona",
      table: { ID: "id", NAME: "name", ROLE: "role", SOURCE: "source" },
      shrinks: ["NAME", "ROLE"],
    },
  }),
  operationCommand({
    operation: "getPersona",
    name: "cloud personas get",
    summary: "Show a persona",
    flags: { persona },
    examples: { "By id or name": "fettle cloud personas get --persona Ann" },
    shows: "outline",
  }),
  operationCommand({
    operation: "createPersona",
    name: "cloud personas create",
    summary: "Create a persona",
    takesKey: true,
    flags: who,
    examples: { Create: 'fettle cloud personas create --name Ann --role "first-time buyer"' },
    shows: { done: "Created" },
    next: ({ id }) => `fettle cloud journeys create --help   # --persona ${id}`,
  }),
  operationCommand({
    operation: "updatePersona",
    name: "cloud personas update",
    summary: "Change a persona; runs keep whom they began with",
    flags: { persona, ...who },
    changes: true,
    examples: { Change: 'fettle cloud personas update --persona Ann --notes "In a hurry"' },
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "deletePersona",
    name: "cloud personas delete",
    summary: "Delete a persona that no journey uses",
    flags: { persona },
    examples: { Delete: "fettle cloud personas delete --persona Ann" },
    shows: { done: "Deleted" },
  }),
];

const journeys = [
  group({
    name: "cloud journeys",
    section: "cloud",
    summary: "What synthetic visitors try to get done",
  }),
  operationCommand({
    operation: "listJourneys",
    name: "cloud journeys list",
    summary: "List a project's journeys",
    flags: {
      swarm: { field: "swarmId", find: "swarm", value: "id-or-name", help: "Only those of this swarm" },
      ...paged,
    },
    examples: { List: "fettle cloud journeys list" },
    shows: {
      noun: "journey",
      table: { ID: "id", NAME: "name", SESSIONS: "sessionsPerTarget", TURNS: "maxTurns", GOAL: "goal" },
      shrinks: ["NAME", "GOAL"],
    },
  }),
  operationCommand({
    operation: "getJourney",
    name: "cloud journeys get",
    summary: "Show a journey with its rubric",
    flags: { journey },
    examples: { "By id or name": 'fettle cloud journeys get --journey "Find a book"' },
    shows: "outline",
  }),
  operationCommand({
    operation: "createJourney",
    name: "cloud journeys create",
    summary: "Create a journey",
    description: [
      "Flags win over the document, which may also hold hostIds, serverAttachmentId, rubric and judge.",
    ],
    takesKey: true,
    flags: {
      ...inJourney,
      persona: { field: "personaId", find: "persona", value: "id-or-name", help: "Who makes it" },
      swarm: { field: "swarmId", find: "swarm", value: "id-or-name", help: "The swarm it belongs to" },
      environment,
      ...budget,
    },
    document: "whole body",
    examples: {
      Create:
        'fettle cloud journeys create --persona Ann --goal "Find a book about bees" --environment Nightly --sessions-per-target 3 --max-turns 8',
    },
    shows: { done: "Created" },
  }),
  operationCommand({
    operation: "updateJourney",
    name: "cloud journeys update",
    summary: "Change a journey; started runs are untouched",
    description: ["--sessions-per-target and --max-turns go together."],
    flags: { journey, ...inJourney, environment, "clear-environments": clearEnvironments, ...budget },
    document: "whole body",
    changes: true,
    examples: { Change: 'fettle cloud journeys update --journey Bees --goal "Find two"' },
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "archiveJourney",
    name: "cloud journeys archive",
    summary: "Archive a journey, keeping its history",
    flags: { journey },
    examples: { Archive: "fettle cloud journeys archive --journey Bees" },
    shows: { done: "Archived" },
  }),
];

const countOf = ({ counts, sessionsTotal }: { counts: { succeeded: number }; sessionsTotal: number }) =>
  `${counts.succeeded}/${sessionsTotal}`;

const runs = [
  command({
    name: "cloud journeys run",
    section: "cloud",
    operations: ["launchJourneyRun"],
    summary: "Launch a journey: spends on models that cost something",
    description: [
      "Each place gets the journey's number of sessions, one after the other. Without --wait exits 0 once it is launched. With --wait: 0 when every session was played, 1 when one failed, 5 when a provider's limit or a cancel leaves nothing to say.",
    ],
    arguments: {},
    flags: journeyRunFlags,
    examples: [
      { command: "fettle cloud journeys run --journey Bees", does: "Launch, and say which run it is" },
      { command: "fettle cloud journeys run --journey Bees --wait", does: "And wait for its end" },
    ],
    load: () => import("./run-journey.ts"),
  }),
  operationCommand({
    operation: "estimateJourneyRun",
    name: "cloud journeys estimate",
    summary: "What launching a journey would do, and cost at most",
    flags: { journey },
    examples: { Estimate: "fettle cloud journeys estimate --journey Bees" },
    shows: "outline",
  }),
  operationCommand({
    operation: "listJourneyRuns",
    name: "cloud journeys runs",
    summary: "List a journey's runs, newest first",
    flags: { journey, ...paged },
    examples: { List: "fettle cloud journeys runs --journey Bees" },
    shows: {
      noun: "run",
      table: {
        ID: "id",
        STATE: "displayStatus",
        PLAYED: countOf,
        WAVE: "waveId",
        STARTED: ({ createdAt }) => new Date(createdAt).toISOString(),
      },
      shrinks: ["WAVE"],
    },
  }),
  operationCommand({
    operation: "deleteJourneyRun",
    name: "cloud journeys runs delete",
    summary: "Delete a finished run with its sessions",
    description: ["You can delete your own runs; project admins can delete any. Cancel a running one first."],
    flags: { run },
    examples: { "Without asking": "fettle cloud journeys runs delete --run jrn_1 --yes" },
    shows: { done: "Deleted" },
  }),
  operationCommand({
    operation: "getJourneyRun",
    name: "cloud journeys status",
    summary: "Show a run with its sessions",
    flags: { run },
    examples: { Show: "fettle cloud journeys status --run jrn_1" },
    shows: "outline",
  }),
  operationCommand({
    operation: "listJourneyRunSessions",
    name: "cloud journeys sessions",
    summary: "List the sessions of a run",
    flags: { run, ...paged },
    examples: { List: "fettle cloud journeys sessions --run jrn_1" },
    shows: {
      noun: "session",
      table: {
        ID: "id",
        PLACE: "targetName",
        STATE: "state",
        TURNS: ({ turns }) => turns ?? "",
        ERROR: ({ error }) => error ?? "",
      },
      shrinks: ["ID", "PLACE", "ERROR"],
    },
  }),
  operationCommand({
    operation: "getJourneyRunSession",
    name: "cloud journeys transcript",
    summary: "Show what was said in a session",
    flags: { run, session: { parameter: "sessionKey", value: "id", help: "The session" } },
    examples: { Show: "fettle cloud journeys transcript --run jrn_1 --session synth_1" },
    shows: "outline",
  }),
  operationCommand({
    operation: "cancelJourneyRun",
    name: "cloud journeys cancel",
    summary: "Cancel a run; what was played stays",
    flags: { run },
    examples: { Cancel: "fettle cloud journeys cancel --run jrn_1" },
    shows: { text: ({ finalized }) => text`Cancelled; ${finalized} sessions had not begun` },
  }),
];

const swarms = [
  group({ name: "cloud swarms", section: "cloud", summary: "Journeys that belong together" }),
  operationCommand({
    operation: "listSwarms",
    name: "cloud swarms list",
    summary: "List a project's swarms",
    flags: paged,
    examples: { List: "fettle cloud swarms list" },
    shows: {
      noun: "swarm",
      table: { ID: "id", NAME: "name", SESSIONS: "sessionsPerTarget", TURNS: "maxTurns" },
      shrinks: ["NAME"],
    },
  }),
  operationCommand({
    operation: "getSwarm",
    name: "cloud swarms get",
    summary: "Show a swarm",
    flags: { swarm },
    examples: { "By id or name": "fettle cloud swarms get --swarm Spring" },
    shows: "outline",
  }),
  operationCommand({
    operation: "createSwarm",
    name: "cloud swarms create",
    summary: "Create a swarm",
    takesKey: true,
    flags: { ...inSwarm, environment, ...budget },
    examples: { Create: "fettle cloud swarms create --name Spring --sessions-per-target 3 --max-turns 8" },
    shows: { done: "Created" },
  }),
  operationCommand({
    operation: "updateSwarm",
    name: "cloud swarms update",
    summary: "Change a swarm; its journeys stay as they are",
    description: ["--sessions-per-target and --max-turns go together."],
    flags: { swarm, ...inSwarm, environment, "clear-environments": clearEnvironments, ...budget },
    changes: true,
    examples: { Change: "fettle cloud swarms update --swarm Spring --name Summer" },
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "archiveSwarm",
    name: "cloud swarms archive",
    summary: "Archive a swarm; its journeys stay",
    flags: { swarm },
    examples: { Archive: "fettle cloud swarms archive --swarm Spring" },
    shows: { done: "Archived" },
  }),
];

export const cloudSwarmsCommands = [
  ...personas,
  ...journeys,
  ...draftCommands,
  ...runs,
  ...swarmInsightsCommands,
  ...calibrationCommands,
  ...swarms,
];
