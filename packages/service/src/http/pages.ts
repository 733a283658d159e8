/** @module Serves the built web app. */
import { missing } from "../core/routing/not-found.ts";
import type { RawRoute } from "../core/routing/raw-route.ts";
import { cacheControl, openSite, policyOf } from "./site.ts";

/** The folder's route, on which documents of one other origin may be framed: that of widgets. Without a build it says so, and everything but the pages works. */
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
  throw missing("The web app is not built here.", "`npm run build` builds it.");
}

function servePages(folder: string, frames: string | undefined): RawRoute["handle"] {
  const site = openSite(folder);
  const policy = policyOf(site, frames);
  return async ({ request, reply }) => {
    const found = site.find(request.url.replace(/\?.*/s, ""), request.headers.cookie);
    if (found.kind === "file") {
      const { name, isImmutable, isPacked } = found;
      if (!isPacked)
        return reply.sendFile(name, { immutable: isImmutable, maxAge: isImmutable ? "365d" : 0 });
      const { bytes, headers } = await site.unfold(name, request.headers["accept-encoding"]);
      return reply.headers({ ...headers, "cache-control": cacheControl(isImmutable) }).send(bytes);
    }
    return (
      reply
        .status(found.status)
        .header("content-security-policy", policy)
        // A page names its scripts by their hash, so an old page after an upgrade would ask for files that are gone.
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(found.html)
    );
  };
}
