/** @module Requests of every operation: of valid, nearly valid and invalid values, with ids of things that exist and of none. */
import { cursorFieldOf, type OperationDeclaration } from "@fettle/contract/core";
import type { OperationId } from "@fettle/contract/operations";
import { isObject } from "@fettle/mcp";
import { sealCursor } from "../../core/routing/page.ts";
import { pathOf } from "../../http/route-table.ts";
import { type OperationInput, operationInputs } from "../operation-inputs.ts";
import type { World } from "../world.ts";
import type { Random } from "./random.ts";
import { fitting, jsonSchemaOf, nearly, oddTexts, oddValue, type Sources } from "./values.ts";

export interface FuzzRequest {
  operation: OperationDeclaration;
  path: string;
  query: Record<string, string>;
  /** Behind the query, as bytes that no text is written as. */
  brokenQuery?: string;
  body?: unknown;
  idempotencyKey?: string;
}

/** Escapes of half a character, of a zero character, and of nothing. */
const brokenEscapes = ["%ED%A0%80", "%ED%B0%80", "%00", "%", "%zz", "%FF%FE"];

/** Where things are: the world, and what was made in it for an operation. */
export interface Grounds {
  world: World;
  values: Record<string, string>;
  ids: readonly string[];
}

const schemas = new Map<string, { query?: Record<string, unknown>; body?: Record<string, unknown> }>();

function schemasOf({ id, query, body }: OperationDeclaration) {
  const known = schemas.get(id);
  if (known) return known;
  const made = {
    ...(query && { query: jsonSchemaOf(query) }),
    ...(body && { body: jsonSchemaOf(body) }),
  };
  schemas.set(id, made);
  return made;
}

export const inputOf = ({ id }: OperationDeclaration): OperationInput =>
  (operationInputs as Record<string, OperationInput>)[id] ?? {};

export function makeRequest(operation: OperationDeclaration, grounds: Grounds, random: Random): FuzzRequest {
  const sources: Sources = { random, ids: grounds.ids };
  const body = operation.method === "GET" ? undefined : bodyOf(operation, grounds, sources);
  return {
    operation,
    path: pathFor(operation, grounds, random),
    query: queryOf(operation, grounds, sources),
    ...(body !== undefined && { body }),
    ...(random.chance(0.05) && { brokenQuery: brokenQueryOf(operation, random) }),
    ...(operation.idempotent && random.chance(0.3) && { idempotencyKey: keyOf(random) }),
  };
}

function brokenQueryOf(operation: OperationDeclaration, random: Random): string {
  const { properties = {} } = schemasOf(operation).query ?? {};
  const names = [...Object.keys(isObject(properties) ? properties : {}), "unknown"];
  return `${random.pick(names)}=${random.pick(brokenEscapes)}`;
}

/** A header holds a byte for each character. */
const keyOf = (random: Random) => `k${random.below(50)}${random.chance(0.1) ? "\u00ed\u00a0\u0080" : ""}`;

function pathFor(operation: OperationDeclaration, { world, values, ids }: Grounds, random: Random): string {
  const known: Record<string, string> = {
    projectId: world.projectId,
    organizationId: world.organizationId,
    ...values,
  };
  const isOdd = random.chance(0.15);
  return pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const isPlace = name === "projectId" || name === "organizationId";
    if (isOdd && (!isPlace || random.chance(0.2))) {
      const odd = random.pick([
        () => random.pick(oddTexts),
        () => random.pick(ids),
        () => `${random.pick(ids)}\0`,
        () => "a/b",
      ])();
      // A lone surrogate is no text that could be in an address; dots alone would lead elsewhere.
      return odd.isWellFormed() && !/^\.+/.test(odd) ? encodeURIComponent(odd) : random.pick(brokenEscapes);
    }
    return encodeURIComponent(known[name] ?? random.pick(ids));
  });
}

function queryOf(
  operation: OperationDeclaration,
  { world }: Grounds,
  sources: Sources,
): Record<string, string> {
  const { random } = sources;
  const schema = schemasOf(operation).query;
  const { access } = operation;
  const place: Record<string, string> =
    access.kind === "project" && access.from === "query" ? { projectId: world.projectId } : {};
  if (!schema) return { ...place, ...(random.chance(0.05) && { unknown: "1" }) };
  const whole = fitting(schema, sources, schema);
  const value = random.chance(0.3) ? nearly(whole, random) : whole;
  const query: Record<string, string> = { ...inputOf(operation).query, ...place };
  for (const [name, one] of Object.entries(isObject(value) ? value : {})) {
    query[name] = typeof one === "object" ? JSON.stringify(one) : String(one);
  }
  const field = cursorFieldOf(operation);
  if (field !== undefined && field in query && random.chance(0.7)) {
    query[field] = sealCursor({ list: operation.id as OperationId, ids: place }, oddPlace(random));
  }
  return { ...query, ...(random.chance(0.8) ? place : {}) };
}

/** Places that a list of ours might have written, and some that none has. */
function oddPlace(random: Random): string {
  const part = () =>
    random.pick([
      () => String(random.below(10 ** 12)),
      () => "999999999",
      () => "a_1",
      () => random.pick(oddTexts),
    ])();
  return Array.from({ length: 1 + random.below(4) }, part).join(" ");
}

function bodyOf(operation: OperationDeclaration, { world, values }: Grounds, sources: Sources): unknown {
  const { random } = sources;
  const schema = schemasOf(operation).body;
  if (!schema) return random.pick([undefined, {}, { unknown: 1 }]);
  const { body: usual } = inputOf(operation);
  if (random.chance(0.1)) return oddValue(random);
  const whole = usual && random.chance(0.5) ? usual(world, { ...values }) : fitting(schema, sources, schema);
  const merged =
    isObject(whole) && usual && random.chance(0.3)
      ? { ...(usual(world, { ...values }) as object), ...whole }
      : whole;
  return random.chance(0.5) ? nearly(merged, random) : merged;
}
