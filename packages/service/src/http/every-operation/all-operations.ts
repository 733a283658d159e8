/** @module Every operation with its schemas, for tests that look into them. */
import type { OperationDeclaration } from "@fettle/contract/core";
import { operations } from "@fettle/contract/operations";

export const allOperations: OperationDeclaration[] = Object.values(operations);
