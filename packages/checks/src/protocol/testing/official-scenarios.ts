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

export const officialScenarios: Record<Revision, ScenarioTable> = {
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
  "2026-07-28": {
    ...shared,
    "server-stateless": [
      "modern-client-handshake",
      "modern-server-discover",
      "capabilities-consistent",
      "modern-meta-missing",
      "modern-missing-protocol-version",
      "modern-missing-client-capabilities",
      "modern-client-info-optional",
      "modern-unsupported-version-error",
      "modern-protocol-version-header-mismatch",
      "modern-removed-methods-not-found",
      "protocol-invalid-method-error",
      "error-id-echo",
      "modern-undeclared-capability-error",
      "modern-no-independent-requests-on-stream",
      "modern-logs-require-log-level",
      "modern-subscription-ack-precedes-notifications",
      "modern-subscription-filter-and-tagging",
      "modern-subscription-list-changed-delivery",
    ],
    "sep-2164-resource-not-found": ["resource-not-found", "resource-read-no-empty-contents"],
    caching: ["modern-cache-hint-coverage", "modern-cache-hint-values-valid"],
    "input-required-result-basic-elicitation": ["mrtr-elicitation"],
    "input-required-result-basic-sampling": ["mrtr-sampling"],
    "input-required-result-basic-list-roots": ["mrtr-list-roots"],
    "input-required-result-request-state": ["mrtr-request-state"],
    "input-required-result-multiple-input-requests": ["mrtr-multiple-inputs"],
    "input-required-result-multi-round": ["mrtr-multi-round"],
    "input-required-result-missing-input-response": ["mrtr-missing-response"],
    "input-required-result-non-tool-request": ["mrtr-prompt"],
    "input-required-result-result-type": ["mrtr-result-type", "modern-result-type-present"],
    "input-required-result-unsupported-methods": ["mrtr-not-on-other-methods"],
    "input-required-result-tampered-state": ["mrtr-tampered-state"],
    "input-required-result-capability-check": ["mrtr-capability-scope"],
    "input-required-result-ignore-extra-params": ["mrtr-extra-keys"],
    "input-required-result-validate-input": ["mrtr-invalid-answers"],
  },
};

/** Checks every scenario implies. */
export const impliedByAll = ["wire-schema-valid"];
