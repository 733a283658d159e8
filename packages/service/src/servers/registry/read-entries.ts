/** @module Reads the JSON of the official MCP registry: a list of servers, or one. Strangers wrote it, so everything is bounded, and nothing is kept that a page or a terminal would act on. Pure. */
import { hiddenSpans } from "@fettle/contract/formats";
import { type DirectoryInput, type DirectoryPackage, registryLimits } from "@fettle/contract/servers";
import { z } from "zod";
import type { DirectoryContent } from "../../core/tables/registry.ts";
import { keptAddress, refusalOf } from "./endpoints.ts";

export interface Entry {
  name: string;
  content: DirectoryContent;
}

export interface ReadEntries {
  entries: Entry[];
  /** Were not understood. */
  skipped: number;
  nextCursor?: string | undefined;
}

const officialMeta = "io.modelcontextprotocol.registry/official";

const text = z.string();
const lax = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
/** Those of a list that are what they should be; what else stands in it is left out. */
const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.slice(0, most).flatMap((each) => {
        const read = item.safeParse(each);
        return read.success ? [read.data] : [];
      }),
    );

const input = {
  description: lax(text),
  isRequired: z.boolean().catch(false),
  isSecret: z.boolean().catch(false),
  value: lax(text),
  default: lax(text),
  choices: listOf(text.min(1).max(registryLimits.choiceLength), registryLimits.choices),
};
const NamedInput = z.object({ name: text.regex(/^[\w.-]{1,128}$/), ...input });
const Variables = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((record) => Object.entries(record).map(([name, each]) => ({ ...Object(each), name })))
  .pipe(listOf(NamedInput, registryLimits.inputs));

const Argument = z.object({ name: lax(text), valueHint: lax(text), value: lax(text), default: lax(text) });

const Package = z.object({
  registryType: text.regex(/^[\w.-]{1,40}$/),
  identifier: text.min(1).max(registryLimits.nameLength),
  version: lax(text),
  runtimeHint: lax(text.regex(/^[\w.-]{1,40}$/)),
  transport: z.object({ type: text.regex(/^[\w-]{1,40}$/) }).catch({ type: "stdio" }),
  packageArguments: listOf(Argument, registryLimits.arguments),
  environmentVariables: listOf(NamedInput, registryLimits.inputs),
});

const Remote = z.object({
  type: text.regex(/^[\w-]{1,40}$/).catch("streamable-http"),
  url: text.min(1),
  headers: listOf(NamedInput, registryLimits.inputs),
  variables: Variables,
});

const Server = z.object({
  name: text.regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/).max(registryLimits.nameLength),
  title: lax(text),
  description: text.catch(""),
  version: lax(text),
  status: lax(text),
  websiteUrl: lax(text),
  repository: lax(z.object({ url: text })),
  remotes: listOf(Remote, registryLimits.remotes),
  packages: listOf(Package, registryLimits.packages),
});

const Official = z.object({
  status: lax(text),
  isLatest: lax(z.boolean()),
  updatedAt: lax(text),
  publishedAt: lax(text),
});

const Listed = z.object({ servers: z.array(z.unknown()), metadata: z.unknown().optional() });
const Metadata = z.object({ nextCursor: text.min(1).max(registryLimits.cursorLength) });

/** @param isTrusted the operator wrote it himself, and may name addresses on his own network. */
export function readEntries(document: unknown, { isTrusted }: { isTrusted: boolean }): ReadEntries {
  const listed = Listed.safeParse(document);
  const items = listed.success ? listed.data.servers : Array.isArray(document) ? document : [document];
  const best = new Map<string, Entry & { rank: string }>();
  let skipped = 0;
  for (const item of items) {
    const read = readEntry(item, isTrusted);
    if (!read) skipped += 1;
    else if (read !== "deleted" && read.rank > (best.get(read.name)?.rank ?? "")) best.set(read.name, read);
  }
  const entries = [...best.values()].map(({ name, content }) => ({ name, content }));
  const metadata = listed.success ? Metadata.safeParse(listed.data.metadata) : undefined;
  return { entries, skipped, ...(metadata?.success && { nextCursor: metadata.data.nextCursor }) };
}

/** Of several of one name the latest is taken: by the registry's own word, then by its date; else the first. */
function readEntry(item: unknown, isTrusted: boolean): (Entry & { rank: string }) | "deleted" | undefined {
  const { server, _meta } = Object(item);
  const read = Server.safeParse(server ?? item);
  if (!read.success) return undefined;
  const official = Official.safeParse(Object(_meta)[officialMeta]).data;
  const status = official?.status ?? read.data.status;
  if (status === "deleted") return "deleted";
  const rank = `${official?.isLatest ? 1 : 0} ${official?.updatedAt ?? official?.publishedAt ?? ""}`;
  return { name: read.data.name, content: contentOf(read.data, status, isTrusted), rank };
}

function contentOf(
  server: z.output<typeof Server>,
  status: string | undefined,
  isTrusted: boolean,
): DirectoryContent {
  const refusals = server.remotes.map((remote) => refusalOf(remote, isTrusted));
  const leftOut = refusals.find((refusal) => refusal !== undefined);
  return {
    displayName: shown(server.title, registryLimits.titleLength),
    description: shown(server.description, registryLimits.descriptionLength) ?? "",
    version: shown(server.version, registryLimits.versionLength),
    status: status === "deprecated" ? "deprecated" : "active",
    remotes: server.remotes
      .filter((_, at) => refusals[at] === undefined)
      .map(({ type, url, headers, variables }) => ({
        type,
        url: keptAddress(url),
        headers: headers.map(inputOf),
        variables: variables.map(inputOf),
      })),
    packages: server.packages.map(packageOf),
    ...(leftOut && { leftOut }),
    websiteUrl: linkOf(server.websiteUrl),
    repositoryUrl: linkOf(server.repository?.url),
  };
}

function inputOf(read: z.output<typeof NamedInput>): DirectoryInput {
  const { name, isRequired, isSecret } = read;
  const choices = read.choices.map((choice) => shown(choice, registryLimits.choiceLength) ?? "");
  return {
    name,
    description: shown(read.description, registryLimits.descriptionLength),
    isRequired,
    isSecret,
    // What is already filled in is not for a person to change; a secret that stands in a public list is none.
    default: shown(read.value ?? read.default, registryLimits.choiceLength),
    ...(choices.length > 0 && { choices }),
  };
}

function packageOf(read: z.output<typeof Package>): DirectoryPackage {
  const { registryType, runtimeHint, transport } = read;
  const word = (text: string) => shown(text, registryLimits.choiceLength) ?? "";
  return {
    registryType,
    identifier: word(read.identifier),
    version: shown(read.version, registryLimits.versionLength),
    ...(runtimeHint && { runtimeHint }),
    transport: transport.type,
    arguments: read.packageArguments.flatMap(({ name, valueHint, value, default: usual }) => {
      const filled =
        value ?? usual ?? (name === undefined || valueHint ? `<${valueHint ?? "value"}>` : undefined);
      return [name, filled].filter((each) => each !== undefined).map(word);
    }),
    environmentVariables: read.environmentVariables.map(inputOf),
  };
}

/** One line, without what hides, turns or ends text. */
function shown(text: string | undefined, most: number): string | undefined {
  if (text === undefined) return undefined;
  const line = text
    .slice(0, most * 2)
    .replace(/\s+/g, " ")
    .trim();
  const seen = hiddenSpans(line).flatMap((span) => (span.kind === "plain" ? [span.text] : []));
  return seen.join("").slice(0, most).toWellFormed() || undefined;
}

/** A link that a page may carry: to the web, and to nobody's account. */
function linkOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.username !== "" || url.password !== "") return undefined;
  return url.href.length <= registryLimits.descriptionLength ? url.href : undefined;
}
