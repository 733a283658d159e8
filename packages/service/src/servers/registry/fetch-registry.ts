/** @module Fetches a whole registry, page by page, through the outbound guard. All of it or nothing: half a directory would look like many removals. */
import { registryLimits } from "@fettle/contract/servers";
import { createHttpClient, type HttpClient, isMcpError } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import type { FetchedPage } from "../../core/tables/registry.ts";
import { type Entry, readEntries } from "./read-entries.ts";
import { parseDocument, type Reading, requireSense, SourceFault } from "./reading.ts";

export async function fetchRegistry(
  app: App,
  url: URL,
  known: Record<string, FetchedPage>,
  signal: AbortSignal,
): Promise<Reading> {
  const http = createHttpClient({
    policy: networkPolicy(app),
    timeouts: { totalMs: registryLimits.requestMs },
    maxBodyBytes: registryLimits.pageBytes,
  });
  try {
    return await readPages(http, url, known, signal);
  } catch (error) {
    if (isMcpError(error)) throw new SourceFault(error.message);
    throw error;
  } finally {
    http.close();
  }
}

async function readPages(
  http: HttpClient,
  url: URL,
  known: Record<string, FetchedPage>,
  signal: AbortSignal,
): Promise<Reading> {
  const entries = new Map<string, Entry>();
  const unchanged: string[] = [];
  const pages: Record<string, FetchedPage> = {};
  const seen = new Set<string>();
  let skipped = 0;
  let keptBytes = 0;
  let cursor: string | undefined;
  do {
    const address = pageAddress(url, cursor);
    if (seen.size >= registryLimits.pages)
      throw new SourceFault(`It has more than ${registryLimits.pages} pages.`);
    if (seen.has(address)) throw new SourceFault("Its pages lead round in a circle.");
    seen.add(address);
    const before = Object.hasOwn(known, address) ? known[address] : undefined;
    const { status, etag, text } = await fetchPage(http, address, before?.etag, signal);
    if (status === 304 && before) {
      unchanged.push(...before.names);
      pages[address] = before;
      cursor = before.nextCursor;
      continue;
    }
    keptBytes += text.length;
    if (keptBytes > registryLimits.keptBytes) throw new SourceFault("It is too large as a whole.");
    const read = readEntries(parseDocument(text), { isTrusted: false });
    requireSense(read.entries, read.skipped);
    skipped += read.skipped;
    // What stood on an earlier page was newer: a registry that tells every version tells the latest first or marks it.
    for (const entry of read.entries) if (!entries.has(entry.name)) entries.set(entry.name, entry);
    cursor = read.nextCursor;
    if (etag) {
      const names = read.entries.map(({ name }) => name);
      pages[address] = { etag, names, ...(cursor !== undefined && { nextCursor: cursor }) };
    }
  } while (cursor !== undefined);
  requireSense([...entries.values()], skipped);
  return { entries: [...entries.values()], unchanged, skipped, pages };
}

async function fetchPage(http: HttpClient, address: string, etag: string | undefined, signal: AbortSignal) {
  const response = await http.request({
    method: "GET",
    url: address,
    headers: { accept: "application/json", ...(etag && { "if-none-match": etag }) },
    signal,
    repeatable: true,
  });
  if (response.status !== 200 && !(response.status === 304 && etag)) {
    response.cancel();
    throw new SourceFault(`It answered with status ${response.status}.`);
  }
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.etag?.slice(0, registryLimits.sourceLength),
    text,
  };
}

function pageAddress(url: URL, cursor: string | undefined): string {
  const address = new URL(url);
  address.searchParams.set("limit", String(registryLimits.pageSize));
  address.searchParams.set("version", "latest");
  if (cursor !== undefined) address.searchParams.set("cursor", cursor);
  return address.href;
}
