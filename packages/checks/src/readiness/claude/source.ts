/** @module Where the Claude connector directory says what it asks for. */
import type { RuleSource } from "../rule.ts";

export const claudeSnapshot = "2026-08-19";

const site = "https://claude.com/docs/connectors/building";
const pages = {
  submission: { page: "Submitting to the Connectors Directory", url: `${site}/submission` },
  review: { page: "Review criteria", url: `${site}/review-criteria` },
  authentication: { page: "Authentication", url: `${site}/authentication` },
  building: { page: "Building custom connectors", url: site },
  apps: { page: "MCP Apps: cross-compatibility", url: `${site}/mcp-apps/cross-compatibility` },
  design: { page: "MCP Apps: design guidelines", url: `${site}/mcp-apps/design-guidelines` },
  supersession: { page: "MCP Apps: instance supersession", url: `${site}/mcp-apps/instance-supersession` },
} as const;

/** The pages carry no revision of their own. */
export function claudeSource(page: keyof typeof pages, section: string): RuleSource {
  return { ...pages[page], section, revision: null, snapshotDate: claudeSnapshot };
}
