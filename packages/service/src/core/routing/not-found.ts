/**
 * @module What is not there, and where to look: each 404 of a rule function says which operation and command list such things, or what
 * else to do. A test keeps every other way of saying 404 out.
 */
import { ApiError } from "@fettle/contract/core";
import { type OperationId, operationTable } from "@fettle/contract/operations";
import { toldOf } from "./where-listed.ts";

interface Missing {
  message: string;
  /** Of people's own pages alone: nothing that a program may call lists them. */
  listedBy?: OperationId;
  hint?: string;
}

const kinds = {
  agentAction: {
    message: "There is no such proposal.",
    hint: "Open proposals are listed with their conversation; old ones are forgotten.",
  },
  apiKey: { message: "There is no such key.", hint: "Your keys are listed on your account's page." },
  card: {
    message: "The organization has no such card.",
    hint: "Search the registry for what the organization has published.",
  },
  chatSession: { message: "There is no such session.", listedBy: "listChatSessions" },
  chatTurn: {
    message: "There is no such turn in this conversation.",
    hint: "Read the conversation: each of its messages names its turn.",
  },
  client: { message: "There is no such client in this project.", listedBy: "listClients" },
  conformanceRun: {
    message: "There is no such conformance run in this project.",
    listedBy: "listConformanceRuns",
  },
  connectionRequest: { message: "There is no such connection request.", listedBy: "listServerConnections" },
  device: { message: "There is no such device.", hint: "Your devices are listed on your account's page." },
  environment: { message: "There is no such environment in this project.", listedBy: "listEnvironments" },
  evalCase: { message: "There is no such case in this suite.", listedBy: "listEvalCases" },
  evalRun: { message: "There is no such run in this project.", listedBy: "listEvalRuns" },
  evalSuite: { message: "There is no such suite in this project.", listedBy: "listEvalSuites" },
  historyEntry: {
    message: "There is no such entry in this server's history.",
    listedBy: "listServerHistory",
  },
  image: { message: "There is no such image in this project.", listedBy: "listSandboxImages" },
  invitation: {
    message: "There is no such invitation.",
    hint: "Open invitations are listed on the organization's page.",
  },
  journey: { message: "There is no such journey in this project.", listedBy: "listJourneys" },
  journeyRun: { message: "There is no such run in this project.", listedBy: "listJourneyRuns" },
  member: {
    message: "This person does not belong to the organization.",
    hint: "The organization's page lists who does.",
  },
  organization: { message: "There is no such organization.", listedBy: "listOrganizations" },
  persona: { message: "There is no such persona in this project.", listedBy: "listPersonas" },
  plugin: { message: "There is no such plugin in this project.", listedBy: "listProjectPlugins" },
  project: { message: "There is no such project.", listedBy: "listProjects" },
  savedCall: { message: "There is no such saved call of this server.", listedBy: "listSavedCalls" },
  scenario: { message: "There is no such scenario in this project.", listedBy: "listScenarios" },
  server: { message: "There is no such server in this project.", listedBy: "listProjectServers" },
  skill: { message: "There is no such skill in this project.", listedBy: "listProjectSkills" },
  swarm: { message: "There is no such swarm in this project.", listedBy: "listSwarms" },
  wave: { message: "There is no such wave in this project.", listedBy: "listJourneyRuns" },
  widget: {
    message: "There is no such widget here.",
    hint: "Render it again: what a widget shows is kept for a while only.",
  },
} satisfies Record<string, Missing>;

/** The kinds of things that rule functions look for. */
export type MissingKind = keyof typeof kinds;

/**
 * @example
 * if (!suite) throw notFound("evalSuite", { path: "body.suiteId" });
 */
export function notFound(
  kind: MissingKind,
  details: Record<string, unknown> = {},
  message: string = kinds[kind].message,
): ApiError {
  const { listedBy, hint }: Missing = kinds[kind];
  return new ApiError("NOT_FOUND", message, {
    ...details,
    ...(listedBy ? toldOf(operationTable[listedBy]) : { hint }),
  });
}

/** Of what no list holds: the hint says what to do instead. */
export const missing = (message: string, hint: string, details: Record<string, unknown> = {}): ApiError =>
  new ApiError("NOT_FOUND", message, { ...details, hint });

/** The same whatever it was, so that nobody learns of what is elsewhere. */
export const nothingHere = (details: Record<string, unknown> = {}): ApiError =>
  missing("There is no such thing here.", "Check the id. What it named may have been deleted.", details);

export const noRoute = (): ApiError =>
  missing("There is no such route.", "See the routes in `GET /api/v1/openapi.json`.");
