/** @module In which of a project's images the command of a stdio server runs. */
import type { ProjectServer, SandboxImage } from "@fettle/contract";
import { isLocal } from "../lib/local.ts";
import { useOperation } from "./operation.ts";

export interface ServerImages {
  /** Those that are shared and built. */
  ready: readonly SandboxImage[];
  /** The one it names, or the only one; undefined: it is reached through a tunnel, or somebody has to choose. */
  runsIn: SandboxImage | undefined;
}

export function useServerImages({ projectId, transportType, sandboxImageId }: ProjectServer): ServerImages {
  // The inspector starts commands itself.
  const isAsked = transportType === "stdio" && !isLocal;
  const { data } = useOperation("listSandboxImages", { projectId }, { enabled: isAsked });
  const ready = (data?.items ?? []).filter(
    ({ sharing, currentBuild }) => sharing === "project" && currentBuild?.status === "ready",
  );
  const [only] = ready;
  const runsIn = sandboxImageId
    ? ready.find(({ id }) => id === sandboxImageId)
    : ready.length === 1
      ? only
      : undefined;
  return { ready, runsIn };
}
