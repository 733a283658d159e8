/** @module Which configuration `import` reads, and what is in it. */
import { access } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { readServerConfig, readServerDocument, type ServerConfig } from "@fettle/contract/servers";
import { parse as parseYaml } from "yaml";
import { operationalError, usageError } from "../../cli-error.ts";
import type { Input } from "../../input/input.ts";
import { shellWords } from "../../output/shell-words.ts";
import type { World } from "../../world.ts";
import { folderFiles, hostFile, hostLabel, type ImportHostId, importHostIds } from "./places.ts";

export interface ImportFile {
  /** `-` for stdin. */
  path: string;
  servers: Extract<ServerConfig, { ok: true }>["servers"];
}

interface Wanted {
  file: string | undefined;
  from: ImportHostId | undefined;
}

type Place = Pick<World, "cwd" | "home">;

export async function readImportFile(wanted: Wanted, input: Input, world: Place): Promise<ImportFile> {
  const path = await choosePath(wanted, world);
  const content = await input.file("The configuration", path);
  if (content.trim() === "") throw usageError(`${shown(path)} is empty.`);
  const config = await parse(path, content, world.cwd);
  if (!config.ok) {
    throw usageError(`${shown(path)} cannot be imported. ${config.reason}`, {
      hint: 'Servers are expected under a name such as "mcpServers", "servers" or "context_servers".',
    });
  }
  return { path, servers: config.servers };
}

async function choosePath({ file, from }: Wanted, world: Place): Promise<string> {
  if (file !== undefined && from !== undefined) throw usageError("Name a file or use --from, not both.");
  if (file !== undefined) return file === "-" ? file : resolve(world.cwd, file);
  if (from !== undefined) return fileOfHost(from, world);
  const here = await existing(folderFiles.map((name) => join(world.cwd, name)));
  const [first] = here;
  if (first !== undefined) {
    if (here.length === 1) return first;
    throw usageError(`This folder has ${here.length} configurations; name the one to import.`, {
      details: { files: here },
      choices: here,
      hint: "For example",
      nextCommand: importCommand([first]),
    });
  }
  const known = await hostsHere(world);
  const [host] = known;
  throw usageError(`There is no configuration in this folder: looked for ${folderFiles.join(", ")}.`, {
    hint:
      host === undefined
        ? "Name the file, or - for stdin."
        : `Name a file, or import from a host you have: ${importCommand(["--from", host])}${others(known)}.`,
  });
}

async function fileOfHost(from: ImportHostId, world: Place): Promise<string> {
  const path = hostFile(from, world.home);
  const [found] = path === undefined ? [] : await existing([path]);
  if (found !== undefined) return found;
  throw operationalError(
    path === undefined
      ? `${hostLabel(from)} keeps no configuration on this platform.`
      : `${hostLabel(from)} has no configuration here: ${path} does not exist.`,
    { hint: "Name the file if it is elsewhere." },
  );
}

async function hostsHere(world: Place): Promise<ImportHostId[]> {
  const found: ImportHostId[] = [];
  for (const id of importHostIds) {
    const path = hostFile(id, world.home);
    if (path !== undefined && (await existing([path])).length > 0) found.push(id);
  }
  return found;
}

const others = (known: readonly string[]) =>
  known.length > 1 ? ` (also: ${known.slice(1).join(", ")})` : "";

const importCommand = (words: readonly string[]) =>
  `\`${shellWords(["fettle", "cloud", "projects", "servers", "import", ...words])}\``;

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/** By its ending; what has none, such as stdin, is JSON. */
async function parse(path: string, content: string, folder: string): Promise<ServerConfig> {
  switch (extname(basename(path)).toLowerCase()) {
    case ".toml": {
      const { parse: parseToml } = await import("smol-toml");
      return readParsed("TOML", () => parseToml(content), folder);
    }
    case ".yaml":
    case ".yml": {
      // Without aliases a small file cannot become a large document.
      return readParsed("YAML", () => parseYaml(content, { maxAliasCount: 0 }), folder);
    }
    default:
      return readServerConfig(content, { folder });
  }
}

function readParsed(language: string, read: () => unknown, folder: string): ServerConfig {
  let document: unknown;
  try {
    document = read();
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { ok: false, reason: `This is not ${language}: ${reason}` };
  }
  return readServerDocument(document, { folder });
}

function shown(path: string): string {
  return path === "-" ? "What came on stdin" : path;
}
