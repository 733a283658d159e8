/** @module The parts of a project that change by themselves, and what else is then no longer so. The service announces changes by these names; pages read anew by them. */
import { isOneOf } from "./known.ts";

/** Each part with the others that are made of it. They are named by the word in the paths of the operations. */
const madeOf = {
  servers: ["server-verdicts", "tunnels", "clients", "environments", "registry"],
  /** What was installed from registries. */
  registry: ["servers", "clients", "environments"],
  /** What was done with servers; the latest of it says how they are. */
  history: ["server-verdicts", "saved-calls"],
  "server-verdicts": [],
  "saved-calls": [],
  "history-retention": [],
  webhooks: [],
  "notice-letters": [],
  "server-groups": [],
  tunnels: [],
  clients: ["environments"],
  environments: ["clients"],
  skills: ["environments"],
  images: ["computer"],
  /** One's own, which is made of an image. */
  computer: [],
  plugins: ["skills", "servers", "environments"],
  "conformance-runs": ["conformance-schedule"],
  "conformance-schedule": [],
  "readiness-runs": [],
  "eval-suites": [],
  /** A suite shows its latest run. */
  "eval-runs": ["eval-suites", "eval-run-groups"],
  "eval-run-groups": [],
  /** Problems over all runs, waves and windows. */
  findings: ["journey-findings"],
  "journey-findings": [],
  /** Conversations, of whatever kind; those of a person with a model are read one by one, too. */
  sessions: ["chat-sessions", "scenarios"],
  /** What is published for visitors. */
  scenarios: ["clients", "members", "sessions"],
  "chat-sessions": [],
  /** What the workspace agent wants a person to decide. */
  "agent-actions": [],
  personas: ["swarms"],
  swarms: [],
  /** They are made by personas, and held by swarms. */
  journeys: ["personas", "swarms"],
  /** A journey shows its latest runs, and so does whatever looks at several. */
  "journey-runs": ["journeys", "swarms", "journeys-overview", "journey-findings", "waves"],
  "journeys-overview": [],
  waves: ["journey-runs"],
  /** Scorecards of runs say it too. */
  calibrations: ["journey-runs"],
  members: ["project", "scenarios"],
  /** The project itself. */
  project: [],
} as const satisfies Record<string, readonly string[]>;

export type ProjectPart = keyof typeof madeOf;

const isPart = (word: string): word is ProjectPart => Object.hasOwn(madeOf, word);

/**
 * The part of a project that an operation reads or changes: the last word of its path that names one.
 *
 * @example
 * projectPart("/projects/{projectId}/servers/{serverId}/conformance-runs") // "conformance-runs"
 */
export function projectPart(path: string): ProjectPart {
  return path.split("/").findLast(isPart) ?? "project";
}

/** Whether what was read of one part may be different after a change of another. A part that is not known here may be any. */
export function dependsOn(read: ProjectPart, changed: string): boolean {
  if (!isPart(changed) || changed === "project" || read === changed) return true;
  return isOneOf<string>(madeOf[changed], read);
}
