/** @module What differs between two surfaces, told by entity: each tool, prompt or resource once, with its fields. Pure. */
import { type ChangeClass, diffSurfaces, type SurfaceChange } from "./diff.ts";
import { type Surface, surfaceSections } from "./surface.ts";

/** The words of this report, most serious first; a lock's check says `compatible` and `text-only`. */
export const diffClasses = ["breaking", "non_breaking", "informational"] as const;
export type DiffClass = (typeof diffClasses)[number];

const classOf: Record<ChangeClass, DiffClass> = {
  breaking: "breaking",
  compatible: "non_breaking",
  "text-only": "informational",
};

export type DiffFailOn = "breaking" | "any" | "none";

export interface EntityChange {
  entityType: SurfaceChange["kind"];
  entityId: string;
  changeType: "added" | "removed" | "modified";
  /** Of the worst of its fields. */
  classification: DiffClass;
  /** The definition that came or went. */
  before?: unknown;
  after?: unknown;
  fieldChanges: { path: string; classification: DiffClass; before?: unknown; after?: unknown }[];
}

export interface SurfaceDiff {
  passed: boolean;
  failOn: DiffFailOn;
  summary: {
    totalChanges: number;
    byClassification: Record<DiffClass, number>;
    byEntityType: Partial<Record<SurfaceChange["kind"], number>>;
  };
  changes: EntityChange[];
  baselineSummary: Record<string, number>;
  currentSummary: Record<string, number>;
}

export function reportDiff(before: Surface, after: Surface, failOn: DiffFailOn): SurfaceDiff {
  const changes = byEntity(diffSurfaces(before, after));
  const tally = <Key extends string>(keyOf: (change: EntityChange) => Key) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(changes, keyOf)).map(([key, group]) => [
        key,
        (group as unknown[]).length,
      ]),
    ) as Partial<Record<Key, number>>;
  return {
    passed: !changes.some((change) => isDiffFailure(change, failOn)),
    failOn,
    summary: {
      totalChanges: changes.length,
      byClassification: {
        breaking: 0,
        non_breaking: 0,
        informational: 0,
        ...tally(({ classification }) => classification),
      },
      byEntityType: tally(({ entityType }) => entityType),
    },
    changes,
    baselineSummary: countsOf(before),
    currentSummary: countsOf(after),
  };
}

export function isDiffFailure({ classification }: EntityChange, failOn: DiffFailOn): boolean {
  return failOn === "any" || (failOn === "breaking" && classification === "breaking");
}

/** The changes come most serious first, and so do the entities: each stands where its worst change stood. */
function byEntity(changes: readonly SurfaceChange[]): EntityChange[] {
  const entities = new Map<string, EntityChange>();
  for (const { kind, name, change, class: how, path, before, after } of changes) {
    const key = JSON.stringify([kind, name]);
    const values = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
    if (change !== "changed") {
      entities.set(key, {
        entityType: kind,
        entityId: name,
        changeType: change,
        classification: classOf[how],
        ...values,
        fieldChanges: [],
      });
      continue;
    }
    const entity = entities.get(key) ?? {
      entityType: kind,
      entityId: name,
      changeType: "modified" as const,
      classification: classOf[how],
      fieldChanges: [],
    };
    entity.fieldChanges.push({ path, classification: classOf[how], ...values });
    entities.set(key, entity);
  }
  return [...entities.values()];
}

function countsOf(surface: Surface): Record<string, number> {
  return Object.fromEntries(
    surfaceSections.flatMap((name) => {
      const section = surface[name];
      return section ? [[name, Object.keys(section).length]] : [];
    }),
  );
}
