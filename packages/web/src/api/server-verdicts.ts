/** @module The latest outcome of each check of a server. */
import type { ServerVerdicts } from "@fettle/contract/servers";
import { useOperation } from "./operation.ts";
import type { ServerAddress } from "./server-calls.ts";

type Verdict = ServerVerdicts["verdicts"][number];

/** The latest of each check of one server, from what is read once for all of the project. */
export function useVerdicts({ projectId, serverId }: ServerAddress): readonly Verdict[] {
  const verdicts = useOperation("listServerVerdicts", { projectId });
  return verdicts.data?.items.find((item) => item.serverId === serverId)?.verdicts ?? [];
}
