/** @module Where in a schema a value's place is declared. Pure. */
import { fieldsOf } from "../observed/fields.ts";
import type { PinnedTool, Surface } from "../observed/surface.ts";

/** @example schemaPath("items.[].price") // "properties.items.items.properties.price" */
export function schemaPath(path: string): string {
  if (path === "") return "";
  return path
    .split(".")
    .map((name) => (name === "[]" ? "items" : `properties.${name}`))
    .join(".");
}

/** What is declared at a path of the schema; undefined where nothing is. Names may hold dots: the longest that fits is taken. */
export function declaredAt(schema: unknown, path: string): unknown {
  if (path === "") return schema;
  const fields = fieldsOf(schema);
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const name = path.slice(0, end);
    if (Object.hasOwn(fields, name)) return declaredAt(fields[name], path.slice(end + 1));
  }
  return undefined;
}

/** It is declared, or the object that would hold it is. */
export function isPlaceIn(schema: unknown, path: string): boolean {
  if (declaredAt(schema, path) !== undefined) return true;
  const parent = path.replace(/\.?properties\.[^.]*$/, "");
  return parent !== path && declaredAt(schema, parent) !== undefined;
}

/** Whether it says what it takes: in words, as a format, as a list, or by the fields it has. */
export function isExplained(schema: unknown, path: string): boolean {
  const declared = fieldsOf(declaredAt(schema, path));
  const { description, format, enum: members, pattern, examples } = declared;
  const hints = [description, format, members, pattern, examples];
  const hasFields = Object.keys(fieldsOf(declared.properties)).length > 0;
  return hasFields || hints.some((hint) => hint !== undefined && hint !== "");
}

/** The tool's own property that an error names. A template is in small letters. */
export function fieldNamed(template: string | null, tool: PinnedTool | undefined): string | null {
  const properties = fieldsOf(tool?.inputSchema.properties);
  const named = [...(template ?? "").matchAll(/"([^"]+)"/g)].flatMap(([, name]) => name ?? []);
  const found =
    Object.keys(properties).find((name) => named.includes(name.toLowerCase())) ??
    enumOwner(properties, named);
  return found === undefined ? null : schemaPath(found);
}

/** An error may name the values it takes, and not the field. */
function enumOwner(properties: Record<string, unknown>, named: readonly string[]): string | undefined {
  return Object.keys(properties).find((name) => {
    const { enum: members } = fieldsOf(properties[name]);
    return Array.isArray(members) && members.some((member) => named.includes(String(member).toLowerCase()));
  });
}

export const toolAt = (surface: Surface, place: { serverId: string | null; toolName: string | null }) =>
  place.toolName === null ? undefined : surface.find(place.serverId, place.toolName);
