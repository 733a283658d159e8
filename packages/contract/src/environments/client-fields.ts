/** @module Which settings of a client can be changed one by one, how each is written, and what it can be made from. No schemas here: the CLI reads `--set` by these. */

/** The hosts a client can be made to behave like: every one in the catalogue. */
export const clientTemplateIds = [
  "fettle",
  "claude",
  "claude-code",
  "chatgpt",
  "mistral",
  "goose",
  "slack",
  "cursor",
  "codex",
  "copilot",
  "vscode",
  "agentcore",
  "n8n",
  "perplexity",
  "cline",
  "notion",
] as const;
export type ClientTemplateId = (typeof clientTemplateIds)[number];

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** What a field's value is. Unsetting one puts its default back, or clears it where it has none; `modelId` has to stay. */
export const clientFields = {
  modelId: "string",
  systemPrompt: "string",
  temperature: "number",
  requireToolApproval: "boolean",
  connectionDefaults: "object",
  respectToolVisibility: "boolean",
  progressiveToolDiscovery: "boolean",
  harness: "string",
  computer: "object",
  skillSelection: "object",
  modelVisibleMcpToolResults: "object",
  mcpToolResultImageRendering: "object",
  mcpProfile: "object",
  hostCapabilitiesOverride: "object",
  chatUiOverride: "object",
  builtInToolIds: "array",
} as const;
export type ClientField = keyof typeof clientFields;
