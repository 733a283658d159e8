/** @module Every operation of the service, by id. */
import * as catalog from "./operations/catalog.ts";

export const operations = { ...catalog };

export type Operations = typeof operations;
export type OperationId = keyof Operations;
