/** @module Where the common hosts keep the servers they know, by platform. Data: read by the registry at every start. */
import { join } from "node:path";
import { keysOf } from "@fettle/contract/core";

interface ImportHost {
  label: string;
  /** From the home folder; where platforms differ, by platform. */
  path: string | Partial<Record<NodeJS.Platform, string>>;
}

const codeUser = (product: string) => ({
  linux: `.config/${product}/User/mcp.json`,
  darwin: `Library/Application Support/${product}/User/mcp.json`,
  win32: `AppData/Roaming/${product}/User/mcp.json`,
});

const importHosts = {
  "claude-code": { label: "Claude Code", path: ".claude.json" },
  "claude-desktop": {
    label: "Claude Desktop",
    path: {
      linux: ".config/Claude/claude_desktop_config.json",
      darwin: "Library/Application Support/Claude/claude_desktop_config.json",
      win32: "AppData/Roaming/Claude/claude_desktop_config.json",
    },
  },
  codex: { label: "Codex", path: ".codex/config.toml" },
  cursor: { label: "Cursor", path: ".cursor/mcp.json" },
  gemini: { label: "Gemini CLI", path: ".gemini/settings.json" },
  goose: {
    label: "Goose",
    path: {
      linux: ".config/goose/config.yaml",
      darwin: ".config/goose/config.yaml",
      win32: "AppData/Roaming/Block/goose/config/config.yaml",
    },
  },
  "lm-studio": { label: "LM Studio", path: ".lmstudio/mcp.json" },
  opencode: { label: "OpenCode", path: ".config/opencode/opencode.json" },
  vscode: { label: "VS Code", path: codeUser("Code") },
  windsurf: { label: "Windsurf", path: ".codeium/windsurf/mcp_config.json" },
  zed: {
    label: "Zed",
    path: {
      linux: ".config/zed/settings.json",
      darwin: ".config/zed/settings.json",
      win32: "AppData/Roaming/Zed/settings.json",
    },
  },
} as const satisfies Record<string, ImportHost>;

export type ImportHostId = keyof typeof importHosts;

export const importHostIds = keysOf(importHosts);

/** Where a host's file is on this platform; undefined where the host does not exist. */
export function hostFile(id: ImportHostId, home: string, platform = process.platform): string | undefined {
  const { path }: ImportHost = importHosts[id];
  const below = typeof path === "string" ? path : path[platform];
  return below === undefined ? undefined : join(home, below);
}

export function hostLabel(id: ImportHostId): string {
  return importHosts[id].label;
}

/** What a folder may hold, in the order of how likely it is meant. */
export const folderFiles = [
  ".mcp.json",
  "mcp.json",
  ".vscode/mcp.json",
  ".cursor/mcp.json",
  ".windsurf/mcp_config.json",
  ".zed/settings.json",
  ".gemini/settings.json",
  ".codex/config.toml",
  "opencode.json",
];
