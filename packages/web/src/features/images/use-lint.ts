/** @module What the service says of a blueprint while it is being written. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { failureOf } from "../../api/failure.ts";
import { operationOptions } from "../../api/operation.ts";
import { useSettled } from "../../kit/use-settled.ts";
import { type PlacedFault, placeFaults } from "./blueprint-places.ts";

export interface Lint {
  /** `behind` while the text is newer than what was looked at. */
  state: "behind" | "ok" | "faulty" | "failed";
  faults: readonly PlacedFault[];
  /** Of the base, where all is well. */
  digest: string | undefined;
  /** Why it could not be looked at. */
  failure: string | undefined;
}

export function useLint(projectId: string, blueprint: string): Lint {
  const settled = useSettled(blueprint);
  const query = useQuery({
    ...operationOptions("validateSandboxImageBlueprint", { projectId, body: { blueprint: settled } }),
    staleTime: "static",
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const { data, error, isPlaceholderData } = query;
  const faults = useMemo(
    () => (data && !data.ok && !isPlaceholderData ? placeFaults(settled, data.errors) : []),
    [data, isPlaceholderData, settled],
  );
  const isBehind = settled !== blueprint || isPlaceholderData || (!data && !error);
  return {
    state: isBehind ? "behind" : error ? "failed" : data?.ok ? "ok" : "faulty",
    faults,
    digest: data?.ok && !isBehind ? data.baseImageDigest : undefined,
    failure: error ? failureOf(error).message : undefined,
  };
}
