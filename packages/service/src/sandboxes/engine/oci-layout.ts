/** @module Takes a base image out of a folder in OCI layout. Engines do not check the digest of such a folder, so every byte is checked here. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { z } from "zod";
import { tarOf } from "./tar-stream.ts";

/** Why a base cannot be had; said to whoever builds. */
export class BaseImageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BaseImageError";
  }
}

const digestOf = (hex: string) => `sha256:${hex}`;
const Descriptor = z.looseObject({
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  size: z.number().int().nonnegative(),
});
const Manifest = z.looseObject({ config: Descriptor, layers: z.array(Descriptor).max(sandboxLimits.layers) });
const Index = z.looseObject({
  manifests: z.array(
    Descriptor.extend({
      platform: z.looseObject({ os: z.string(), architecture: z.string() }).optional(),
    }),
  ),
});

/** As `docker save` writes it, which every engine loads; undefined when the folder does not have the image. */
export async function archiveOf(
  folder: string,
  { digest, architecture, tag }: { digest: string; architecture: string; tag: string },
): Promise<Readable | undefined> {
  const document = await readDocument(folder, digest);
  if (document === undefined) return undefined;
  const manifest = await manifestFor(folder, document, architecture);
  const blobs = [manifest.config, ...manifest.layers];
  for (const blob of blobs) await requireWhole(folder, blob);
  const [config, ...layers] = blobs.map(({ digest: one }) => `${hexOf(one)}.blob`);
  const list = Buffer.from(JSON.stringify([{ Config: config, RepoTags: [tag], Layers: layers }]));
  const unique = [...new Map(blobs.map((blob) => [blob.digest, blob])).values()];
  return tarOf([
    { path: "manifest.json", size: list.length, content: list },
    ...unique.map((blob) => ({
      path: `${hexOf(blob.digest)}.blob`,
      size: blob.size,
      content: createReadStreamOf(folder, blob.digest),
    })),
  ]);
}

/** Opened when its turn comes. */
async function* createReadStreamOf(folder: string, digest: string): AsyncGenerator<Buffer> {
  yield* createReadStream(blobPath(folder, digest)) as AsyncIterable<Buffer>;
}

async function manifestFor(folder: string, document: unknown, architecture: string) {
  const index = Index.safeParse(document);
  if (!index.success) return readManifest(document);
  const chosen = index.data.manifests.find(
    ({ platform }) => platform?.os === "linux" && platform.architecture === architecture,
  );
  if (!chosen) throw new BaseImageError(`The base has no image for linux on ${architecture}.`);
  const inner = await readDocument(folder, chosen.digest);
  if (inner === undefined)
    throw new BaseImageError(`The layout lacks ${chosen.digest}, which the base names.`);
  return readManifest(inner);
}

function readManifest(document: unknown) {
  const manifest = Manifest.safeParse(document);
  if (!manifest.success) throw new BaseImageError("What the layout has under the digest is no image.");
  return manifest.data;
}

/** Undefined when it is not there. */
async function readDocument(folder: string, digest: string): Promise<unknown> {
  const path = blobPath(folder, digest);
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (found.size > sandboxLimits.manifestBytes)
    throw new BaseImageError(`${digest} is too large to be an image's manifest.`);
  const bytes = await readFile(path);
  if (digestOf(createHash("sha256").update(bytes).digest("hex")) !== digest) throw spoiled(digest);
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new BaseImageError(`What the layout has under ${digest} is no image.`);
  }
}

async function requireWhole(folder: string, { digest, size }: z.output<typeof Descriptor>): Promise<void> {
  const path = blobPath(folder, digest);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new BaseImageError(`The layout lacks ${digest}, which the base names.`);
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  if (found.size !== size || digestOf(hash.digest("hex")) !== digest) throw spoiled(digest);
}

function spoiled(digest: string): BaseImageError {
  return new BaseImageError(
    `What the layout has under ${digest} has another digest: it was changed or is damaged.`,
  );
}

const hexOf = (digest: string) => digest.slice("sha256:".length);
const blobPath = (folder: string, digest: string) => join(folder, "blobs", "sha256", hexOf(digest));
