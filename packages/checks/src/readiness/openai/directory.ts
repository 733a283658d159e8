/** @module The OpenAI app directory: its lanes, stages and rules. */
import { type ReadinessLane, readinessLanes } from "@fettle/contract/servers";
import type { Directory } from "../directory.ts";
import type { ReadinessEvidence } from "../evidence.ts";
import { openaiAuthRules } from "./auth-rules.ts";
import { openaiContentRules } from "./content-rules.ts";
import { modeParts } from "./modes.ts";
import { openaiPackageRules } from "./package-rules.ts";
import { openaiPolicyRules } from "./policy-rules.ts";
import { openaiSkillRules } from "./skill-rules.ts";
import { openaiSnapshot } from "./source.ts";
import { openaiSubmissionRules } from "./submission-rules.ts";
import { openaiToolRules } from "./tool-rules.ts";

/** A lane about something that is not submitted is none. */
function isSubmitted(
  lane: ReadinessLane,
  { submissionMode = "mcp-only", published }: ReadinessEvidence,
): boolean {
  const parts = modeParts[submissionMode];
  switch (lane) {
    case "runtime-compatibility":
      return parts.server;
    case "plugin-package":
      return parts.package;
    case "release-contract":
      return published !== undefined && parts.server;
    default:
      return true;
  }
}

const preflight: readonly ReadinessLane[] = ["runtime-compatibility", "directory-policy", "plugin-package"];

export const openaiDirectory: Directory = {
  kind: "openai",
  title: "OpenAI app directory",
  policySnapshotDate: openaiSnapshot,
  rules: [
    ...openaiAuthRules,
    ...openaiToolRules,
    ...openaiSkillRules,
    ...openaiPackageRules,
    ...openaiContentRules,
    ...openaiPolicyRules,
    ...openaiSubmissionRules,
  ],
  lanes: (evidence) => readinessLanes.filter((lane) => isSubmitted(lane, evidence)),
  stages: (evidence) => {
    const submitted = (lanes: readonly ReadinessLane[]) =>
      lanes.filter((lane) => isSubmitted(lane, evidence));
    return [
      { stage: "technical-preflight", lanes: submitted(preflight) },
      {
        stage: "submission-ready",
        lanes: submitted([...preflight, "submission-artifacts", "release-contract"]),
      },
    ];
  },
};
