/** @module What the pages of images read besides the images: one's own computer, and builds. */
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { useQuery } from "@tanstack/react-query";
import { operationOptions, queryClient } from "../../api/operation.ts";
import { type Build, isOpen } from "./build-words.ts";

/** It falls asleep without a word in the live stream, so whoever looks is told by asking. */
const lookEveryMs = 5_000;

export function useOwnComputer(projectId: string) {
  return useQuery({
    ...operationOptions("getOwnComputer", { projectId }),
    refetchInterval: ({ state }) => (state.data?.computer ? lookEveryMs : false),
  });
}

/**
 * Newest first. While one is under way its log grows by the second, and the image brings it along: the others, each with its own
 * log, are not read again for that.
 */
export function useBuilds({ projectId, id, currentBuild }: SandboxImage): readonly Build[] | undefined {
  const read = operationOptions("listSandboxImageBuilds", { projectId, imageId: id });
  const isKnown = queryClient.getQueryData(read.queryKey) !== undefined;
  const isBuilding = currentBuild !== null && isOpen(currentBuild);
  const listed = useQuery({ ...read, enabled: !isBuilding || !isKnown }).data?.items;
  if (!currentBuild) return listed;
  return [currentBuild, ...(listed ?? []).filter((build) => build.id !== currentBuild.id)];
}
