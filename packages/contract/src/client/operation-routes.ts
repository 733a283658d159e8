/** @module Method, path and whether it takes an idempotency key, of each operation that is built: `"POST /projects idempotent"`. */
import { apiRoutes as api, appRoutes as app } from "../../generated/operation-routes.ts";
import { longRoutes } from "./route-words.ts";

export const apiRoutes = longRoutes(api);
/** Of our own pages. */
export const appRoutes = longRoutes(app);
