/** @module What each way to submit to the OpenAI directory consists of. It is never inferred. */
import type { SubmissionMode } from "@fettle/contract/servers";
import type { ReadinessInput } from "../evidence.ts";

export interface ModeParts {
  server: boolean;
  package: boolean;
  requiredInputs: readonly ReadinessInput[];
}

export const modeParts: Record<SubmissionMode, ModeParts> = {
  "skills-only": { server: false, package: true, requiredInputs: ["pluginBundle"] },
  "mcp-only": { server: true, package: false, requiredInputs: ["serverUrl"] },
  "mcp-imported-skills": { server: true, package: false, requiredInputs: ["serverUrl", "importedSkills"] },
  "mcp-uploaded-skills": { server: true, package: true, requiredInputs: ["serverUrl", "pluginBundle"] },
};
