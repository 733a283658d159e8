/** @module Where the OpenAI app directory says what it asks for. */
import type { RuleSource } from "../rule.ts";

export const openaiSnapshot = "2026-08-19";

const site = "https://developers.openai.com";
const pages = {
  guidelines: { page: "App submission guidelines", url: `${site}/apps-sdk/app-submission-guidelines` },
  submission: { page: "Submit your app", url: `${site}/apps-sdk/deploy/submission` },
  auth: { page: "Authentication", url: `${site}/apps-sdk/build/auth` },
  server: { page: "Build your MCP server", url: `${site}/apps-sdk/build/mcp-server` },
  reference: { page: "Apps SDK reference", url: `${site}/apps-sdk/reference` },
  plugins: { page: "Build plugins", url: `${site}/codex/plugins/build` },
  skills: { page: "Agent skills", url: `${site}/codex/skills` },
} as const;

/** The pages carry no revision of their own. */
export function openaiSource(page: keyof typeof pages, section: string): RuleSource {
  return { ...pages[page], section, revision: null, snapshotDate: openaiSnapshot };
}
