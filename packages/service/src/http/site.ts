/** @module The built web app as its own `site.json` says: which paths are pages, under which policy, what may be cached. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { z } from "zod";
import { chooseEncoding } from "./compress.ts";

const unpack = promisify(brotliDecompress);

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
  /** The pages that the local inspector has. */
  localPages: z.array(z.string()),
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

/** What the build adds to the name of a script or style sheet that it keeps compressed. */
const packed = ".br";

const packedTypes: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

export type Found =
  /** A packed file is kept as Brotli alone, as `name.br`. */
  | { kind: "file"; name: string; isImmutable: boolean; isPacked: boolean }
  | { kind: "document"; status: 200 | 404; html: string };

/** Files with a hash in their name never change; others are asked for again. */
export function cacheControl(isImmutable: boolean): string {
  return isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
}

interface Bytes {
  bytes: Buffer;
  headers: Record<string, string>;
}

export interface OpenSite {
  contentSecurityPolicy: string;
  localPages: readonly string[];
  /** A page that is not there is a document too. */
  find(path: string, cookies: string | undefined): Found;
  /** A packed file's bytes: as they are kept, or unpacked for the few clients that do not take Brotli. */
  unfold(name: string, acceptEncoding: string | string[] | undefined): Promise<Bytes>;
}

/** With the one other origin whose documents a page may frame, if there is one. */
export function policyOf({ contentSecurityPolicy }: OpenSite, frames: string | undefined): string {
  return `${contentSecurityPolicy}${frames ? `; frame-src ${frames}` : ""}`;
}

export function openSite(folder: string): OpenSite {
  const site = Site.parse(JSON.parse(readFileSync(join(folder, "site.json"), "utf8")));
  const documents = site.documents.map(({ file, paths }) => ({
    text: readFileSync(join(folder, file), "utf8"),
    patterns: paths.map((path) => path.split("/")),
  }));
  const fallback = readFileSync(join(folder, "index.html"), "utf8");
  const files = filesOf(folder);
  return {
    contentSecurityPolicy: site.contentSecurityPolicy,
    localPages: site.localPages,
    find: (path, cookies) => {
      const isPacked = files.has(`${path}${packed}`);
      if (isPacked || files.has(path)) {
        return { kind: "file", name: path.slice(1), isImmutable: path.startsWith(site.immutable), isPacked };
      }
      const segments = path.split("/");
      const document = documents.find(({ patterns }) =>
        patterns.some((pattern) => isMatch(pattern, segments)),
      );
      const html = fillIn(document?.text ?? fallback, site, cookies);
      return { kind: "document", status: document ? 200 : 404, html };
    },
    unfold: async (name, acceptEncoding) => {
      const kept = await readFile(join(folder, `${name}${packed}`));
      const headers = { "content-type": packedTypes[extname(name)] ?? "text/plain", vary: "accept-encoding" };
      const takesIt = chooseEncoding(acceptEncoding) === "br";
      return takesIt
        ? { bytes: kept, headers: { ...headers, "content-encoding": "br" } }
        : { bytes: await unpack(kept), headers };
    },
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

function fillIn(document: string, site: Site, cookies: string | undefined): string {
  return site.cookies.reduce((text, { name, find, replace, values }) => {
    const value = cookieValue(cookies, name);
    return value !== undefined && values.includes(value)
      ? text.replace(find, replace.replace("$value", value))
      : text;
  }, document);
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim().split("=", 2));
  return pairs.find(([key]) => key === name)?.[1];
}
