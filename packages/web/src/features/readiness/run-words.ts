/** @module Readiness in words: publishers, lanes, grades, and how to supply what is missing. */
import type {
  ObservationReason,
  ObservationStatus,
  ProjectServer,
  ReadinessClass,
  ReadinessGrade,
  ReadinessKind,
  ReadinessLane,
  ReadinessRun,
  ReadinessStage,
  ReadinessStatus,
  SubmissionMode,
} from "@fettle/contract/servers";
import type { Tone } from "../../ui/chip.tsx";

export const publisherNames: Record<ReadinessKind, string> = {
  claude: "Claude directory",
  openai: "OpenAI directory",
};

export const modeNames: Record<SubmissionMode, string> = {
  "skills-only": "Skills alone",
  "mcp-only": "The server alone",
  "mcp-imported-skills": "The server, with the skills it offers",
  "mcp-uploaded-skills": "The server, with an uploaded package",
};

export const laneNames: Record<ReadinessLane, string> = {
  "runtime-compatibility": "Runtime",
  "directory-policy": "Directory policy",
  "plugin-package": "Package",
  "release-contract": "Release contract",
  "optional-features": "Optional features",
  "submission-artifacts": "Listing",
  "experience-insights": "Experience",
};

export const stageNames: Record<ReadinessStage, string> = {
  "technical-preflight": "Technical preflight",
  "submission-ready": "Ready to submit",
};

/** What a class means for the grade. */
export const classMeanings: Record<ReadinessClass, { word: string; about: string }> = {
  "runtime-blocker": { word: "Blocker", about: "It decides: without it the listing does not work." },
  required: { word: "Required", about: "It decides: the publisher demands it." },
  recommended: { word: "Advice", about: "The publisher advises it; it never decides." },
  "by-agreement": {
    word: "By agreement",
    about: "The publisher allows it to approved partners; it never decides.",
  },
  "manual-review": { word: "For a person", about: "A reviewer will look at it; it never decides." },
  heuristic: { word: "Hint", about: "A guess worth a look; it never decides." },
  "experimental-feature": { word: "Feature", about: "Nobody has to have it." },
};

export const gradeWords: Record<ReadinessGrade, { tone: Tone; word: string }> = {
  ready: { tone: "good", word: "Ready" },
  "not-ready": { tone: "bad", word: "Not ready" },
  incomplete: { tone: "warn", word: "Incomplete" },
};

const statusWords: Record<ReadinessStatus, { tone: Tone; word: string }> = {
  pending: { tone: "info", word: "Waiting" },
  running: { tone: "info", word: "Running" },
  completed: { tone: "neutral", word: "Completed" },
  failed: { tone: "bad", word: "Failed" },
  cancelled: { tone: "neutral", word: "Cancelled" },
};

export const isOpen = ({ status }: Pick<ReadinessRun, "status">) =>
  status === "pending" || status === "running";

/** While it goes on how far it is, afterwards how the server is graded. */
export function stateOf({ status, overallStatus }: Pick<ReadinessRun, "status" | "overallStatus">) {
  return status === "completed" && overallStatus ? gradeWords[overallStatus] : statusWords[status];
}

export function subjectOf({ serverId, serverUrl }: ReadinessRun, servers: readonly ProjectServer[] = []) {
  return servers.find(({ id }) => id === serverId)?.name ?? serverUrl;
}

const observations: Record<ObservationStatus, string> = {
  "not-requested": "No model looked: nobody asked for one. The grade needs none.",
  pending: "A model will look once the grade stands.",
  completed: "A model looked; what it says stands under Experience and decides nothing.",
  "billing-blocked": "No model looked: the organization has spent what it may.",
  "provider-failed": "The model could not be asked. The grade stands without it.",
  "invalid-output": "Nothing a model said could be used. The grade stands without it.",
};

const reasons: Partial<Record<ObservationReason, string>> = {
  provider_timeout: "It did not answer in time.",
  schema_invalid: "Its answer had another form than was asked for.",
  no_evidence: "There was nothing to read.",
  cancelled: "The run was stopped.",
};

export function observationWords({ status, reason }: ReadinessRun["llmObservations"]): string {
  const why = reason && reasons[reason];
  return why ? `${observations[status]} ${why}` : observations[status];
}

/** How to supply what nobody could evaluate for want of it. */
const supplies: Record<string, { name: string; how: string }> = {
  serverUrl: { name: "An address", how: "Save the server with its address." },
  serverAnswer: {
    name: "The server's answer",
    how: "Mend what stands in the way first. Where nothing answers, the server's overview tells why.",
  },
  authorizationServer: {
    name: "The authorization server's answer",
    how: "It has to be reachable from where Fettle runs.",
  },
  submissionProfile: {
    name: "What the listing will say",
    how: "Write it into .fettle/submission.yaml in the server's repository, and check with it in the terminal.",
  },
  toolListing: {
    name: "The whole list of tools",
    how: "Connect the server in its settings, where it asks for a sign-in.",
  },
  toolResults: { name: "Results of tools", how: "No tool is called here: try it by hand." },
  appsResult: {
    name: "Every widget",
    how: "Each has to be readable; a conformance run of the apps suite tells which is not.",
  },
  authorizationRequests: {
    name: "A recorded sign-in",
    how: "Let `fettle oauth conformance` sign in, and give what it prints to the check in the terminal as --oauth-result.",
  },
  pluginBundle: { name: "The package", how: "Give it to the check in the terminal as --package." },
  importedSkills: { name: "Skills of the server", how: "The server has to offer them." },
  publishedSnapshot: {
    name: "The published version",
    how: "Name it in .fettle/submission.yaml, and check with it in the terminal.",
  },
  "interactive-oauth": {
    name: "A person who signs in",
    how: "Let `fettle oauth conformance` sign in, and give what it prints to the check in the terminal as --oauth-result.",
  },
  browser: { name: "A browser", how: "Nothing is drawn here: look at the widgets by hand." },
  intrusive: { name: "A grant of your own", how: "It leaves something behind, so it is never done unasked." },
};

export const supplyOf = (input: string) =>
  supplies[input] ?? { name: input, how: "It is not looked at here: check it by hand." };
