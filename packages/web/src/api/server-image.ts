/** @module In which of a project's images the commands of stdio servers run. */
import type { SandboxImage } from "@fettle/contract/sandboxes";
import type { ProjectServer } from "@fettle/contract/servers";
import { isLocal } from "../lib/local.ts";
import { useOperation } from "./operation.ts";

export interface UsableImages {
  isPending: boolean;
  /** Nothing runs in an image without a container engine. Undefined: not known. */
  hasEngine: boolean | undefined;
  /** Those that are shared and built, where there is an engine to run them. */
  ready: readonly SandboxImage[];
}

export interface ServerImages extends UsableImages {
  /** The one it names, or the only one; undefined: it is reached through a tunnel, or somebody has to choose. */
  runsIn: SandboxImage | undefined;
}

type Command = Pick<ProjectServer, "projectId" | "transportType" | "url" | "sandboxImageId">;

/** Asked for only where there is a command: the inspector starts those itself. */
export function useUsableImages(projectId: string, isNeeded: boolean): UsableImages {
  const enabled = isNeeded && !isLocal && projectId !== "";
  const images = useOperation("listSandboxImages", { projectId }, { enabled });
  const own = useOperation("getOwnComputer", { projectId }, { enabled });
  const hasEngine = own.data && own.data.missingEngine === null;
  return {
    isPending: enabled && (images.isPending || own.isPending),
    hasEngine,
    ready: hasEngine ? (images.data?.items ?? []).filter(isUsable) : [],
  };
}

/** A draft is its author's alone, and others call the server too. */
const isUsable = ({ sharing, isBuilt }: SandboxImage) => sharing === "project" && isBuilt;

export function useServerImages(server: ProjectServer): ServerImages {
  const images = useUsableImages(server.projectId, server.transportType === "stdio");
  return { ...images, runsIn: imageOf(server, images.ready) };
}

function imageOf(
  { transportType, sandboxImageId }: Command,
  ready: readonly SandboxImage[],
): SandboxImage | undefined {
  if (transportType !== "stdio") return undefined;
  if (sandboxImageId) return ready.find(({ id }) => id === sandboxImageId);
  return ready.length === 1 ? ready[0] : undefined;
}

/** In words, where a server is: its address, or what its command runs in. */
export function useServerPlace(servers: readonly Command[]): (server: Command) => string {
  const command = servers.find(({ transportType }) => transportType === "stdio");
  const images = useUsableImages(command?.projectId ?? "", command !== undefined);
  return (server) => server.url ?? placeOfCommand(server, images);
}

function placeOfCommand(server: Command, { isPending, ready }: UsableImages): string {
  if (isLocal) return "A command on this machine";
  if (isPending) return "A command";
  const image = imageOf(server, ready);
  if (image) return `A command, in the image ${image.name}`;
  if (ready.length === 0) return "A command, reached through a tunnel";
  return server.sandboxImageId ? "A command; its image is not ready" : "A command; its image is not chosen";
}

export interface CommandsOfProject {
  /** Whose commands belong to an image, because they name it or because there is no other; by the image's id. */
  byImage: ReadonlyMap<string, readonly ProjectServer[]>;
  /** The only image, and the servers that run in it without naming it: a second one would leave them without. */
  unnamed: { image: SandboxImage; servers: readonly ProjectServer[] } | undefined;
}

export function useCommandsOf(projectId: string): CommandsOfProject {
  const { data } = useOperation("listProjectServers", { projectId });
  const servers = (data?.items ?? []).filter(({ transportType }) => transportType === "stdio");
  const { ready } = useUsableImages(projectId, servers.length > 0);
  const placed = servers.map((server) => ({
    server,
    imageId: server.sandboxImageId ?? imageOf(server, ready)?.id,
  }));
  const byImage = Map.groupBy(placed, ({ imageId }) => imageId ?? "");
  const undecided = servers.filter(({ sandboxImageId }) => !sandboxImageId);
  const [image, ...others] = ready;
  return {
    byImage: new Map([...byImage].map(([id, all]) => [id, all.map(({ server }) => server)])),
    unnamed: image && others.length === 0 && undecided.length > 0 ? { image, servers: undecided } : undefined,
  };
}
