/** @module Reads a plugin's bundle: its manifest, skills and servers. What it cannot hold is counted, and nothing is run. */
import { createHash } from "node:crypto";
import { limits } from "@fettle/contract/core";
import { ProjectServerCreateRequest } from "@fettle/contract/servers";
import { z } from "zod";
import { type Files, hashFiles, readText } from "./file-map.ts";
import { type ParsedSkill, readSkill } from "./skill-md.ts";

const manifestPaths = [".claude-plugin/plugin.json", "plugin.json"] as const;
/** Parts of the common layout that would run code or need a host of their own. */
const unsupportedFolders = ["commands", "agents", "hooks"];

const Manifest = z.looseObject({
  name: z
    .string()
    .max(limits.skills.nameLength)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "lower-case letters, digits and single hyphens"),
  version: z.string().max(limits.plugins.versionLength).optional(),
  displayName: z.string().max(limits.text.nameLength).optional(),
  description: z.string().max(limits.text.descriptionLength).optional(),
});
export type PluginManifest = z.output<typeof Manifest>;

export interface ParsedPlugin {
  manifest: PluginManifest;
  manifestHash: string;
  bundleHash: string;
  /** Empty: the version is ready. */
  problems: string[];
  skills: ParsedSkill[];
  servers: { name: string; request: ProjectServerCreateRequest }[];
  counts: { skills: number; servers: number; apps: number; assets: number; unsupported: number };
}

export type PluginReading = { ok: true; plugin: ParsedPlugin } | { ok: false; problems: string[] };

/** Fails only where no plugin can be named; every other fault makes the version invalid, with its reasons. */
export function readPlugin(files: Files): PluginReading {
  const manifestPath = manifestPaths.find((path) => files.has(path));
  const source = manifestPath && files.get(manifestPath);
  if (source === undefined) return { ok: false, problems: [`There is no ${manifestPaths.join(" or ")}.`] };
  const manifest = Manifest.safeParse(readJson(source));
  if (!manifest.success) {
    return {
      ok: false,
      problems: manifest.error.issues.map(
        ({ path, message }) => `${manifestPath} ${path.join(".")}: ${message}`,
      ),
    };
  }
  const skills = readSkills(files);
  const servers = readServers(files);
  const isUnsupported = (path: string) => unsupportedFolders.includes(path.replace(/\/.*/s, ""));
  const paths = [...files.keys()].filter((path) => path !== manifestPath && path !== ".mcp.json");
  return {
    ok: true,
    plugin: {
      manifest: manifest.data,
      manifestHash: createHash("sha256").update(source).digest("hex"),
      bundleHash: hashFiles(files),
      problems: [...skills.problems, ...servers.problems],
      skills: skills.found,
      servers: servers.found,
      counts: {
        skills: skills.found.length,
        servers: servers.found.length,
        apps: 0,
        assets: paths.filter((path) => !path.startsWith("skills/") && !isUnsupported(path)).length,
        unsupported: paths.filter(isUnsupported).length,
      },
    },
  };
}

function readSkills(files: Files): { found: ParsedSkill[]; problems: string[] } {
  const folders = new Map<string, Files>();
  const problems: string[] = [];
  for (const [path, content] of files) {
    const parts = /^skills\/([^/]+)\/(.+)$/.exec(path);
    if (!parts) continue;
    const [, folder = "", inside = ""] = parts;
    folders.set(folder, (folders.get(folder) ?? new Map()).set(inside, content));
  }
  const found = [...folders].flatMap(([folder, inside]) => {
    const reading = readSkill(inside);
    if (!reading.ok) {
      problems.push(...reading.problems.map((problem) => `skills/${folder}: ${problem}`));
      return [];
    }
    if (reading.skill.name === folder) return [reading.skill];
    problems.push(`skills/${folder}: its SKILL.md calls it ${reading.skill.name}.`);
    return [];
  });
  return { found, problems };
}

const Servers = z.record(z.string().min(1).max(limits.plugins.serverNameLength), z.looseObject({}));

function readServers(files: Files): { found: ParsedPlugin["servers"]; problems: string[] } {
  const source = files.get(".mcp.json");
  if (!source) return { found: [], problems: [] };
  const json = readJson(source);
  const declared = Servers.safeParse(
    typeof json === "object" && json !== null && "mcpServers" in json ? json.mcpServers : json,
  );
  if (!declared.success) return { found: [], problems: [".mcp.json: it is not a mapping of servers."] };
  const problems: string[] = [];
  const found = Object.entries(declared.data).flatMap(([name, { url, headers, command, args, env }]) => {
    const endpoint =
      url === undefined
        ? { transportType: "stdio", command, args, env }
        : { transportType: "http", url, headers };
    const request = ProjectServerCreateRequest.safeParse({ name, ...endpoint });
    if (request.success) return [{ name, request: request.data }];
    const [issue] = request.error.issues;
    problems.push(`.mcp.json ${name} ${issue?.path.join(".")}: ${issue?.message}`);
    return [];
  });
  return { found, problems };
}

function readJson(content: Buffer): unknown {
  const text = readText(content);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
