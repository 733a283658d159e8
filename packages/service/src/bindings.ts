/** @module Every built operation and the function that answers it. */
import type { Bindings } from "./http/bind.ts";
import { modelBindings } from "./models/routes.ts";
import { projectBindings } from "./projects/routes.ts";
import { serverBindings } from "./servers/routes.ts";

export const bindings: Partial<Bindings> = { ...projectBindings, ...modelBindings, ...serverBindings };
