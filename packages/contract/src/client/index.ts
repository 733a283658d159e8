export { operationCommands } from "../../generated/operation-commands.ts";
export { operationFields } from "../../generated/operation-fields.ts";
export { readAnswer } from "./answer.ts";
export { type ApiClient, type AppClient, createAppClient, createClient } from "./client.ts";
export { apiRoutes, appRoutes } from "./operation-routes.ts";
export { type CallOptions, type ClientOptions, freshKey, type Wait } from "./request.ts";
export { mayRepeat, retryAfterSeconds, retryWaitMs } from "./retry.ts";
