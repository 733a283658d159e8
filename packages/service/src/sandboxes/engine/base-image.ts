/** @module Brings the base of an image into the engine: one it has already, the operator's folder, or the operator's registry. Always the pinned digest. */
import type { SandboxConfig } from "../../core/config/config.ts";
import type { Engine } from "./engine.ts";
import { archiveOf, BaseImageError } from "./oci-layout.ts";
import { EngineError } from "./socket-http.ts";

/** Bases are kept: the next build starts at once. Deployments on one engine have names of their own for what it holds once. */
const baseName = ({ deployment }: Engine) => `localhost/fettle-base/${deployment}`;

/** What a container of the base is made of. */
const baseTag = (engine: Engine, digest: string) => `${baseName(engine)}:${digest.replace("sha256:", "")}`;

/**
 * Those that this deployment brought, but for what is `pinned`, which is asked after the engine was: what is brought for a build
 * that begins in between is not in the list. One that a container uses stays.
 */
export async function removeOtherBases(engine: Engine, pinned: () => Promise<string[]>): Promise<void> {
  const tags = await engine.images.listTags({ name: baseName(engine) });
  const kept = new Set((await pinned()).map((base) => baseTag(engine, partsOf(base).digest)));
  for (const tag of tags) {
    if (!kept.has(tag)) await engine.images.remove(tag);
  }
}

/** @param base as it is pinned: `docker.io/library/debian:13@sha256:…` */
export async function bringBase(
  engine: Engine,
  { layout, registry }: Pick<SandboxConfig, "layout" | "registry">,
  base: string,
  signal?: AbortSignal,
): Promise<string> {
  const { name, digest } = partsOf(base);
  const tag = baseTag(engine, digest);
  if (!(await engine.images.has(tag))) {
    const isThere =
      (layout !== undefined && (await fromLayout(engine, layout, digest, tag, signal))) ||
      (registry !== undefined && (await fromRegistry(engine, `${registry}/${name}`, digest, signal)));
    if (!isThere) throw new BaseImageError(missing(base, layout, registry));
  }
  await requireNoVolumes(engine, tag);
  return tag;
}

async function fromLayout(engine: Engine, folder: string, digest: string, tag: string, signal?: AbortSignal) {
  const archive = await archiveOf(folder, { digest, architecture: engine.architecture, tag });
  if (!archive) return false;
  await engine.images.load(archive, signal);
  return true;
}

async function fromRegistry(engine: Engine, name: string, digest: string, signal?: AbortSignal) {
  const reference = `${name}@${digest}`;
  try {
    await engine.images.pull(name, digest, signal);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new BaseImageError(`${reference} could not be pulled: ${error.message}`);
  }
  const found = await engine.images.inspect(reference);
  // Engines check it while pulling; one that does not would have another name for what it got.
  if (!found?.RepoDigests?.some((one) => one.endsWith(`@${digest}`))) {
    throw new BaseImageError(`The registry sent something else for ${reference}.`);
  }
  await engine.images.tag(reference, baseName(engine), digest.replace("sha256:", ""));
  return true;
}

/** What is written to a volume is not counted, and not kept. */
async function requireNoVolumes(engine: Engine, tag: string): Promise<void> {
  const found = await engine.images.inspect(tag);
  const volumes = Object.keys(found?.Config?.Volumes ?? {});
  if (volumes.length === 0) return;
  throw new BaseImageError(`The base declares volumes (${volumes.join(", ")}), which are not supported.`);
}

function missing(base: string, layout: string | undefined, registry: string | undefined): string {
  if (layout === undefined && registry === undefined) {
    return `${base} is not here, and nothing says where bases come from: operators set FETTLE_SANDBOX_LAYOUT or FETTLE_SANDBOX_REGISTRY.`;
  }
  return `${base} is not in the operator's folder of base images.`;
}

/** The blueprint was checked when it was saved: the digest is there, and the name is one of a few. */
function partsOf(base: string): { name: string; digest: string } {
  const [named = "", digest = ""] = base.split("@", 2);
  return { name: named.replace(/:[^/]*$/, "").replace(/^.*\//, ""), digest };
}
