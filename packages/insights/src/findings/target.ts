/** @module Where a remedy lies, on the pinned snapshot: a server, a tool, a surface, a field. What cannot be found there is no target. Pure. */
import { limits } from "@fettle/contract/core";
import { canonicalJson } from "@fettle/contract/formats";
import type { ActionableFinding } from "@fettle/contract/insights";
import { redactText } from "@fettle/contract/secrets";
import type { Meaning, Place, World } from "../detectors/detector.ts";
import { isPlaceIn } from "../detectors/schema-path.ts";
import type { PinnedTool } from "../observed/surface.ts";
import { clipped } from "../text/scrub.ts";

export type Target = NonNullable<ActionableFinding["target"]>;

export function targetOf(meaning: Meaning, place: Place, { surface }: World): Target | undefined {
  const serverId = meaning.target?.serverId ?? place.serverId;
  const toolName = meaning.target ? meaning.target.toolName : (place.toolName ?? undefined);
  if (meaning.surface === null || serverId === null) return undefined;
  const [newest] = surface.snapshotsOf(serverId);
  if (!newest) return undefined;
  const where = { serverId, surface: meaning.surface };
  if (toolName === undefined) return { ...where, snapshotHash: `sha256:${newest.hash}` };
  const tool = surface.find(serverId, toolName);
  if (!tool) return undefined;
  const fieldPath = fieldOf(meaning.surface, place, tool);
  return {
    ...where,
    toolName,
    ...(fieldPath !== undefined && { fieldPath }),
    snapshotHash: `sha256:${tool.hash}`,
    currentDefinition: definitionOf(tool),
  };
}

const schemaOf = (surface: Target["surface"], tool: PinnedTool) =>
  surface === "input_schema" ? tool.inputSchema : surface === "output_schema" ? tool.outputSchema : undefined;

/** Only where the schema has it, or the object that would. */
function fieldOf(surface: Target["surface"], { fieldPath }: Place, tool: PinnedTool): string | undefined {
  const schema = schemaOf(surface, tool);
  return fieldPath && schema && isPlaceIn(schema, fieldPath) ? fieldPath : undefined;
}

/** As it was pinned, cut where it is long. */
function definitionOf({ description, inputSchema, outputSchema }: PinnedTool): Target["currentDefinition"] {
  const { descriptionLength, schemaLength } = limits.insights.definition;
  const parts = [
    ["description", description === undefined ? undefined : redactText(description), descriptionLength],
    ["inputSchemaJson", redactText(canonicalJson(inputSchema)), schemaLength],
    ["outputSchemaJson", outputSchema && redactText(canonicalJson(outputSchema)), schemaLength],
  ] as const;
  const told = parts.flatMap(([name, text, most]) =>
    text === undefined ? [] : [[name, clipped(text, most)]],
  );
  return {
    truncated: parts.some(([, text, most]) => text !== undefined && text.length > most),
    ...Object.fromEntries(told),
  };
}
