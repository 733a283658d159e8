/** @module Where the Claude connector directory says what it asks for. */
import type { RuleSource } from "../rule.ts";

export const claudeSnapshot = "2026-08-19";

const pages = {
  guide: {
    page: "Remote MCP server submission guide",
    url: "https://support.claude.com/en/articles/12922490-remote-mcp-server-submission-guide",
  },
  policy: {
    page: "Software directory policy",
    url: "https://support.claude.com/en/articles/13145358-anthropic-software-directory-policy",
  },
  connectors: {
    page: "Building custom connectors via remote MCP servers",
    url: "https://support.claude.com/en/articles/11503834-building-custom-connectors-via-remote-mcp-servers",
  },
  apps: {
    page: "MCP Apps on Claude",
    url: "https://claude.com/docs/connectors/building/mcp-apps",
  },
} as const;

/** The pages carry no revision of their own. */
export function claudeSource(page: keyof typeof pages, section: string): RuleSource {
  return { ...pages[page], section, revision: null, snapshotDate: claudeSnapshot };
}
