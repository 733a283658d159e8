import { ApiError, type OperationDeclaration } from "@fettle/contract/core";
import { operations } from "@fettle/contract/operations";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkRefusal, readInput } from "./validate.ts";

const anyOperation: OperationDeclaration = Object.values(operations)[0]!;
const text = z.string();

test.each(["query", "body"])("a %s that nobody declared is refused by the path of each field", (where) => {
  const operation = { ...anyOperation, query: undefined, body: undefined } as OperationDeclaration;
  const input = { query: {}, body: {}, [where]: { some: 1 } };
  expect(() => readInput(operation, { query: {}, body: {} })).not.toThrow();
  expect(() => readInput(operation, input)).toThrow(`${where}.some: This operation takes no ${where}.`);
});

test.each<[string, z.ZodType, unknown, object]>([
  [
    "a value of no kind that fits",
    z.union([z.object({ message: text }), text, z.null()]),
    12,
    { path: "body.error", message: "Invalid input: expected object, string or null, received number" },
  ],
  [
    "a value of a kind that fits, with a fault inside",
    z.union([z.object({ message: text }), text]),
    { message: 12 },
    { path: "body.error.message", message: "Invalid input: expected string, received number" },
  ],
  [
    "a value that breaks the bound of its kind",
    z.union([z.object({ message: text }), text.max(3)]),
    "four",
    { path: "body.error", message: "Too big: expected string to have <=3 characters" },
  ],
])("%s is told as what it is", (_, error, value, fault) => {
  const operation = { ...anyOperation, query: undefined, body: z.object({ error }) } as OperationDeclaration;
  expect(() => readInput(operation, { query: {}, body: { error: value } })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ issues: [fault] }) }),
  );
});

test("a refusal with a code that the operation does not declare is a fault of ours", () => {
  const operation: OperationDeclaration = { ...anyOperation, errors: ["CONFLICT"] };
  for (const code of ["CONFLICT", "NOT_FOUND"] as const)
    expect(() => checkRefusal(operation, new ApiError(code, "No."))).not.toThrow();
  expect(() => checkRefusal(operation, new ApiError("TIMEOUT", "No."))).toThrow(
    `${operation.id} refused outside its contract: TIMEOUT`,
  );
  expect(() => checkRefusal(operation, new Error("Something else."))).not.toThrow();
});
