/** @module Which arguments of a call are credentials: those that the tool's schema marks, and those whose names leave no doubt. Pure. */

import { isExactNumber } from "../formats/exact-numbers.ts";
import { findByPointer } from "../formats/json-pointer.ts";

/** Narrower than the names that are hidden where they stand: these values are taken out of everything else that is said. */
const credentialName =
  /(?:^|-)(?:password|passwd|passphrase|pwd|secret|api-?key|private-?key|access-?token|refresh-?token|client-?secret|credential)s?$/;

const isCredentialName = (name: string) =>
  credentialName.test(
    name
      .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
      .replace(/[^a-z0-9]+/gi, "-")
      .toLowerCase(),
  );

/** Deeper than any schema that a person wrote; one that refers to itself ends here. */
const deepest = 24;

/**
 * The texts of arguments that a schema marks with `format: "password"` or `writeOnly: true`, or that are named like a password, a
 * secret or a key. Whoever keeps what came of the call takes them out of it.
 *
 * @example
 * markedArguments({ properties: { pin: { type: "string", format: "password" } } }, { pin: "472 913", city: "Graz" }); // ["472 913"]
 */
export function markedArguments(schema: unknown, args: unknown): string[] {
  const found = new Set<string>();
  const root = objectOf(schema);
  visit([schema], args, 0);
  return [...found];

  function visit(given: readonly unknown[], value: unknown, depth: number): void {
    const schemas = depth > deepest ? [] : given.flatMap((one) => alternatives(one, depth));
    if (schemas.some(isMarked)) collect(value);
    else if (Array.isArray(value)) {
      value.forEach((item, at) => {
        visit(
          schemas.flatMap(({ items, prefixItems }) => [listOf(prefixItems)[at], items]),
          item,
          depth + 1,
        );
      });
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (isCredentialName(name)) collect(member);
        else
          visit(
            schemas.flatMap((one) => memberSchemas(one, name)),
            member,
            depth + 1,
          );
      }
    }
  }

  /** The schema itself and all that it is put together of: one that marks is enough. */
  function alternatives(given: unknown, depth: number): Record<string, unknown>[] {
    if (!isObject(given) || depth > deepest) return [];
    const { $ref, allOf, anyOf, oneOf, then, else: otherwise } = given;
    const named = typeof $ref === "string" ? [findByPointer(root, $ref)] : [];
    const parts = [...named, ...listOf(allOf), ...listOf(anyOf), ...listOf(oneOf), then, otherwise];
    return [given, ...parts.flatMap((part) => alternatives(part, depth + 1))];
  }

  function collect(value: unknown): void {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isExactNumber(value)) found.add(value.rawJSON);
    else if (isObject(value)) Object.values(value).forEach(collect);
    else if ((typeof value === "string" && value !== "") || typeof value === "number")
      found.add(String(value));
  }
}

const isMarked = ({ format, writeOnly }: Record<string, unknown>) =>
  format === "password" || writeOnly === true;

function memberSchemas(schema: Record<string, unknown>, name: string): unknown[] {
  const { properties, additionalProperties } = schema;
  const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return [own ?? additionalProperties];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
