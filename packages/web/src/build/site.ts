/** @module Tells the service how to serve the build: which paths are pages, under which policy, and where the theme is written. */
import { localOperationIds } from "@fettle/contract/inspector";
import type { Plugin } from "vite";
import { isBare, pages, printedAddresses, tabRoots } from "../pages/pages.ts";

/**
 * No inline script, no inline style, no eval, no other origin. Radix writes element styles through the CSSOM, which a policy does not
 * cover; the one part that writes a style element (its scroll lock) is not used.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The one address that script may give to a worker: `kit/check-schema.ts` makes it, and no other.
  "trusted-types fettle-schema-worker",
].join("; ");

/** The shape of `dist/site.json`. */
interface Site {
  contentSecurityPolicy: string;
  /** Paths answered with each document; `$name` is any one segment. Any other path is the app's own "not found" page, with status 404. */
  documents: { file: "index.html" | "bare.html"; paths: string[] }[];
  /** The text in each document to replace with the cookie's value, when the cookie holds one of `values`. */
  cookies: { name: string; find: string; replace: string; values: string[] }[];
  /** Folder whose files carry their hash in the name and may be cached for ever. */
  immutable: string;
  /** The pages that the local inspector has: those that read nothing it does not answer. */
  localPages: string[];
}

const answered: readonly string[] = [
  ...localOperationIds,
  // A page leaves these parts out there.
  "listTunnels",
  "getConformanceSchedule",
];
const localPlaces = /^\/p\/\$pid\/(servers|conformance)/;
/** Servers and what is learned of them; of a person's account, how pages look. */
const isForLocal = ({ id, path, reads }: (typeof pages)[number]) =>
  (localPlaces.test(path) || id === "account-appearance") && reads.every((read) => answered.includes(read));

export const site: Site = {
  contentSecurityPolicy,
  documents: [
    { file: "bare.html", paths: pages.filter(isBare).map(({ path }) => path) },
    {
      file: "index.html",
      paths: [
        "/",
        ...[...pages.filter((page) => !isBare(page)), ...tabRoots, ...printedAddresses].map(
          ({ path }) => path,
        ),
      ],
    },
  ],
  cookies: [
    {
      name: "fettle_theme",
      find: 'data-theme="system"',
      replace: 'data-theme="$value"',
      values: ["light", "dark"],
    },
    {
      name: "fettle_density",
      find: 'data-density="standard"',
      replace: 'data-density="$value"',
      values: ["comfortable", "compact"],
    },
  ],
  immutable: "/assets/",
  localPages: pages.filter(isForLocal).map(({ id }) => id),
};

/** Writes `site.json` beside the built documents. */
export function writeSite(): Plugin {
  return {
    name: "fettle-site",
    generateBundle() {
      this.emitFile({
        type: "asset",
        fileName: "site.json",
        source: `${JSON.stringify(site, null, 2)}\n`,
      });
    },
  };
}
