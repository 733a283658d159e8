/** @module Where conversations come from: what mining asks of whoever keeps them. A family of resources implements it beside its tables. */
import type { OrganizationId, ProjectId, ProjectPart } from "@fettle/contract/core";
import type { InsightScope, InsightsEnvelope } from "@fettle/contract/insights";
import type { MiningSetting, ServerSnapshot, Unit, UnitKind } from "@fettle/insights";
import type { App } from "../core/app.ts";

export type ScopeKind = InsightScope["kind"];

/** What a scope is found by. */
export interface ScopeKey {
  kind: ScopeKind;
  id: string;
}

export interface Source {
  kind: ScopeKind;
  unitKind: UnitKind;
  unit: InsightsEnvelope["coverage"]["unit"];
  /** What is told to pages when an envelope of this kind changes: the part of the project. */
  part: ProjectPart;
  /** Undefined: there is no such scope, or there is not any more. */
  open(app: App, projectId: ProjectId, scopeId: string): Promise<OpenScope | undefined>;
}

declare module "../core/app.ts" {
  interface App {
    /** Whoever keeps conversations that insights are found in. */
    insightSources: readonly Source[];
  }
}

export function sourceOf({ insightSources }: Pick<App, "insightSources">, kind: ScopeKind): Source {
  const source = insightSources.find((one) => one.kind === kind);
  if (!source) throw new Error(`nobody keeps conversations of ${kind}`);
  return source;
}

/** One scope, as it is at the moment of asking. */
export interface OpenScope {
  scope: InsightScope;
  projectId: ProjectId;
  organizationId: OrganizationId;
  /** What its findings are followed in from scope to scope, and dismissed in. */
  family: MiningSetting["family"];
  /** When what it tells was complete; scopes of a family follow one another by it. */
  at: number;
  /** All conversations of the scope, of which `units` may be the newest. */
  total: number;
  /** Newest first, at most `limits.insights.units`. The stamp changes when what is known of the conversation does. */
  units: readonly { id: string; stamp: string }[];
  /** Every one that a unit met. */
  snapshots: readonly ServerSnapshot[];
  /** What the scope before met, by server id. */
  earlierSnapshots?: Readonly<Record<string, string>> | undefined;
  /** Some of the units, whole; called a few at a time, so that a scope of any size takes the same memory. */
  read(ids: readonly string[]): Promise<Unit[]>;
}
