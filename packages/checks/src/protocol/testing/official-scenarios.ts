/** @module Which of our checks stand for each scenario that the official conformance suite requires of a server. */
import type { Revision } from "./mutation.ts";

export type ScenarioTable = Record<string, readonly string[]>;

/** Scenarios that both requirement sets have. */
const shared: ScenarioTable = {
  "completion-complete": ["completion-complete"],
  "tools-list": ["tools-list"],
  "tools-call-simple-text": ["tools-call-text"],
  "tools-call-image": ["tools-call-image"],
  "tools-call-audio": ["tools-call-audio"],
  "tools-call-embedded-resource": ["tools-call-embedded-resource"],
  "tools-call-mixed-content": ["tools-call-mixed"],
  "tools-call-error": ["tools-call-error"],
  "tools-call-with-progress": ["tools-call-progress"],
  "server-sse-multiple-streams": ["server-accepts-multiple-post-streams", "server-sse-streams-functional"],
  "resources-list": ["resources-list"],
  "resources-read-text": ["resources-read-text"],
  "resources-read-binary": ["resources-read-binary"],
  "resources-templates-read": ["resources-templates-read"],
  "prompts-list": ["prompts-list"],
  "prompts-get-simple": ["prompts-get-simple"],
  "prompts-get-with-args": ["prompts-get-args"],
  "prompts-get-embedded-resource": ["prompts-get-embedded-resource"],
  "prompts-get-with-image": ["prompts-get-image"],
  "dns-rebinding-protection": ["localhost-host-rebinding-rejected", "localhost-host-valid-accepted"],
};

export const officialScenarios: Partial<Record<Revision, ScenarioTable>> = {
  "2025-11-25": {
    ...shared,
    "server-initialize": ["server-initialize"],
    "logging-set-level": ["logging-set-level"],
    ping: ["ping"],
    "tools-call-with-logging": ["tool-logging-notifications"],
    "tools-call-sampling": ["tools-call-sampling"],
    "tools-call-elicitation": ["tools-call-elicitation"],
    "elicitation-sep1034-defaults": ["elicitation-defaults"],
    "elicitation-sep1330-enums": ["elicitation-enums"],
    "resources-subscribe": ["resources-subscribe"],
    "resources-unsubscribe": ["resources-unsubscribe"],
  },
};

/** Checks every scenario implies. */
export const impliedByAll = ["wire-schema-valid"];
