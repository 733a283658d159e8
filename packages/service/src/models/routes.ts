/** @module Binds the catalog's list of models. */
import type { Bindings } from "../http/bind.ts";
import { listModels } from "./catalog.ts";

export const modelBindings = {
  listModels: () => ({ items: listModels() }),
} satisfies Partial<Bindings>;
