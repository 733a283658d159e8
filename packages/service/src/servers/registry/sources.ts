/** @module Where directories come from: the samples that Fettle brings, a file of the operator's, and a registry at an address he has set. */
import { readFile, stat } from "node:fs/promises";
import { codeOf } from "@fettle/contract/core";
import { registryLimits } from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import type { FetchedPage } from "../../core/tables/registry.ts";
import { fetchRegistry } from "./fetch-registry.ts";
import { readEntries } from "./read-entries.ts";
import { parseDocument, type Reading, requireSense, SourceFault } from "./reading.ts";
import { sampleDirectory } from "./samples.ts";

export interface Source {
  name: string;
  isBundled?: true;
  read(app: App, known: Record<string, FetchedPage>, signal: AbortSignal): Promise<Reading>;
}

/** Those of this process. What is set up no more is shown no more, and is there again when it is. */
export function sourcesOf({ config }: Pick<App, "config">): Source[] {
  const { file, url } = config.registry;
  const sources: Source[] = [];
  if (url)
    sources.push({ name: url.host, read: (app, known, signal) => fetchRegistry(app, url, known, signal) });
  if (file) sources.push({ name: "file", read: () => readRegistryFile(file) });
  // The samples listen on this machine; others reach a hosted service, and could not reach them.
  if (config.mode === "local") {
    const document = sampleDirectory(config.port);
    sources.push({ name: "samples", isBundled: true, read: async () => readingOf(document) });
  }
  return sources;
}

async function readRegistryFile(path: string): Promise<Reading> {
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > registryLimits.fileBytes) {
      throw new SourceFault(`The file is larger than ${registryLimits.fileBytes} bytes.`);
    }
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof SourceFault) throw error;
    throw new SourceFault(`The file of FETTLE_REGISTRY_FILE cannot be read (${codeOf(error) ?? "unknown"}).`);
  }
  return readingOf(parseDocument(text));
}

function readingOf(document: unknown): Reading {
  const { entries, skipped } = readEntries(document, { isTrusted: true });
  requireSense(entries, skipped);
  return { entries, skipped, unchanged: [], pages: {} };
}
