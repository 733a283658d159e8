/** @module Serves the built web app as its own `site.json` says: which paths are pages, under which policy, what may be cached. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "@fettle/contract";
import { z } from "zod";
import type { RawCall, RawRoute } from "../routing/raw-route.ts";

/** What the web app's build says about itself. */
const Site = z.object({
  contentSecurityPolicy: z.string(),
  /** Paths answered with each document; `$name` is any one segment. */
  documents: z.array(z.object({ file: z.string(), paths: z.array(z.string()) })),
  /** A text in the documents that a cookie's value takes the place of, so that a dark page is never first shown light. */
  cookies: z.array(
    z.object({ name: z.string(), find: z.string(), replace: z.string(), values: z.array(z.string()) }),
  ),
  /** Where files carry their hash in the name. */
  immutable: z.string(),
});
type Site = z.output<typeof Site>;

/** Where the build puts the web app, seen from the bundle and from the sources. */
const folders = [
  join(import.meta.dirname, "web"),
  join(import.meta.dirname, "..", "..", "..", "..", "dist", "fettle", "web"),
];

export function findWebFolder(): string | undefined {
  return folders.find((folder) => existsSync(join(folder, "site.json")));
}

/** The folder's route, whose pages may frame documents of one other origin: that of widgets. Without a build it says so, and everything but the pages works. */
export function pageRoutes(folder: string | undefined, frames: string | undefined): RawRoute[] {
  const respond = folder === undefined ? notBuilt : servePages(folder, frames);
  return [
    {
      id: "pages",
      methods: ["GET"],
      path: "/*",
      policy: "public",
      why: "The web app's documents and files. They hold no data: what they show, they ask for.",
      handle: respond,
    },
  ];
}

function notBuilt(): never {
  throw new ApiError("NOT_FOUND", "The web app is not built here. `npm run build` builds it.");
}

function servePages(folder: string, frames: string | undefined): RawRoute["handle"] {
  const site = Site.parse(JSON.parse(readFileSync(join(folder, "site.json"), "utf8")));
  const policy = `${site.contentSecurityPolicy}${frames ? `; frame-src ${frames}` : ""}`;
  const documents = site.documents.map(({ file, paths }) => ({
    text: readFileSync(join(folder, file), "utf8"),
    patterns: paths.map((path) => path.split("/")),
  }));
  const fallback = readFileSync(join(folder, "index.html"), "utf8");
  const files = filesOf(folder);

  return ({ request, reply }) => {
    const path = request.url.split("?", 1)[0]!;
    if (files.has(path)) {
      const isImmutable = path.startsWith(site.immutable);
      return reply.sendFile(path.slice(1), {
        immutable: isImmutable,
        maxAge: isImmutable ? "365d" : 0,
      });
    }
    const segments = path.split("/");
    const document = documents.find(({ patterns }) => patterns.some((pattern) => isMatch(pattern, segments)));
    return (
      reply
        .status(document ? 200 : 404)
        .header("content-security-policy", policy)
        // A page names its scripts by their hash, so an old page after an upgrade would ask for files that are gone.
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(fillIn(document?.text ?? fallback, site, request))
    );
  };
}

/** Only what was there at the start is served, so no path can lead out of the folder. */
function filesOf(folder: string): Set<string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/"));
  return new Set(names.filter((name) => !name.endsWith(".html") && name !== "/site.json"));
}

function isMatch(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith("$") ? segments[index] !== "" : part === segments[index]))
  );
}

function fillIn(document: string, site: Site, { headers }: RawCall["request"]): string {
  return site.cookies.reduce((text, { name, find, replace, values }) => {
    const value = cookieValue(headers.cookie, name);
    return value !== undefined && values.includes(value)
      ? text.replace(find, replace.replace("$value", value))
      : text;
  }, document);
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim().split("=", 2));
  return pairs.find(([key]) => key === name)?.[1];
}
