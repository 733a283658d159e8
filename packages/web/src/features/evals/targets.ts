/** @module What a suite can run against: its attached environments, else its attached clients, else its saved servers. */
import type { AdhocEnvironment, Environment } from "@fettle/contract/environments";
import type { EvalSuiteDetail } from "@fettle/contract/evals";

export interface Target {
  /** As in a launch: `environmentId` or `namedHostId`; neither means the saved servers. */
  kind: "environment" | "host" | "servers";
  id: string;
  name: string;
}

export function targetsOf(
  { environmentIds, hosts, environment }: EvalSuiteDetail,
  environments: readonly (Environment | AdhocEnvironment)[] | undefined,
): Target[] {
  if (environmentIds.length > 0) {
    return environmentIds.map((id) => ({
      kind: "environment",
      id,
      name: environments?.find((each) => each.id === id)?.name ?? id,
    }));
  }
  if (hosts.length > 0) return hosts.map(({ id, name }) => ({ kind: "host", id, name }));
  return [{ kind: "servers", id: "", name: environment.serverNames.join(", ") || "No server" }];
}

export function targetBody(target: Target | undefined): { environmentId?: string; namedHostId?: string } {
  if (target?.kind === "environment") return { environmentId: target.id };
  return target?.kind === "host" ? { namedHostId: target.id } : {};
}

export const targetWords: Record<Target["kind"], string> = {
  environment: "Environment",
  host: "Client",
  servers: "Saved servers",
};
