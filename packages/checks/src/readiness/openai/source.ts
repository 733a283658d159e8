/** @module Where the OpenAI app directory says what it asks for. */
import type { RuleSource } from "../rule.ts";

export const openaiSnapshot = "2026-08-19";

const site = "https://developers.openai.com";
const pages = {
  guidelines: { page: "App guidelines", url: `${site}/plugins/app-guidelines` },
  submission: { page: "Submit plugins", url: `${site}/plugins/deploy/submission` },
  review: { page: "Remote MCP server review requirements", url: `${site}/plugins/deploy/app-review` },
  auth: { page: "Authentication", url: `${site}/plugins/build/auth` },
  server: { page: "Build an MCP server", url: `${site}/plugins/build/mcp-server` },
  ui: { page: "Build a ChatGPT UI", url: `${site}/plugins/build/chatgpt-ui` },
  reference: { page: "Apps SDK reference", url: `${site}/apps-sdk/reference` },
  plugins: { page: "Build plugins", url: `${site}/plugins/build/plugins` },
  packaging: { page: "Package your plugin", url: `${site}/apps-sdk/build/plugins`, read: "2026-11-19" },
  migration: {
    page: "Submit a Claude Code plugin to OpenAI",
    url: `${site}/plugins/guides/submit-claude-plugin`,
  },
  desktopOnly: {
    page: "Submit desktop-only plugins",
    url: `${site}/plugins/deploy/desktop-only`,
    read: "2026-11-19",
  },
  skills: { page: "Agent skills", url: `${site}/codex/skills` },
} satisfies Record<string, { page: string; url: string; read?: string }>;

type Page = keyof typeof pages;

/** The pages carry no revision of their own. `against`: a page that says something else. */
export function openaiSource(
  page: Page,
  section: string,
  against?: { page: Page; says: string },
): RuleSource {
  const disagreeing = against && { ...readPage(against.page), says: against.says };
  return { ...readPage(page), section, revision: null, ...(disagreeing && { disagreeing }) };
}

function readPage(name: Page) {
  const { read = openaiSnapshot, ...page }: { page: string; url: string; read?: string } = pages[name];
  return { ...page, snapshotDate: read };
}
