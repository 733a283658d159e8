/** @module Reading values that others made: a field is there or it is not. */

export function fieldsOf(value: unknown): Record<string, unknown> {
  const isFields = typeof value === "object" && value !== null && !Array.isArray(value);
  // Whatever its fields hold is asked for one by one.
  return isFields ? (value as Record<string, unknown>) : {};
}
