/** @module The typed client: one method per operation that is built. Types come from the operations, routes from a generated table, so no validator is loaded. */

import type {
  BodyInputOf,
  OperationDeclaration,
  OutputOf,
  ParametersOf,
  QueryInputOf,
} from "../core/operation.ts";
import type { Operations } from "../operations/operations.ts";
import { apiRoutes, appRoutes } from "./operation-routes.ts";
import { type CallInput, type CallOptions, type ClientOptions, request } from "./request.ts";

/** Required when the schema asks for something, optional when all of it is. */
type Part<Name extends string, Input> = Input extends undefined
  ? { [K in Name]?: never }
  : Partial<Input> extends Input
    ? { [K in Name]?: Input }
    : { [K in Name]: Input };

// A caller names things by the text they have; that it is an id of the right kind, the service finds out.
type Input<D extends OperationDeclaration> = { [K in keyof ParametersOf<D>]: string } & Part<
  "query",
  QueryInputOf<D>
> &
  Part<"body", BodyInputOf<D>>;

type Output<D extends OperationDeclaration> = D extends { output: object } ? OutputOf<D> : unknown;

type Call<D extends OperationDeclaration> =
  Partial<Input<D>> extends Input<D>
    ? (input?: Input<D>, options?: CallOptions) => Promise<Output<D>>
    : (input: Input<D>, options?: CallOptions) => Promise<Output<D>>;

type Calls<Id extends keyof Operations> = { readonly [K in Id]: Call<Operations[K]> };

/** The public API. */
export type ApiClient = Calls<keyof typeof apiRoutes>;
/** What our own pages call, with a browser session. */
export type AppClient = Calls<keyof typeof appRoutes>;

/**
 * Talks to the API.
 *
 * @example
 * const client = createClient({ baseUrl: "http://127.0.0.1:7400/api/v1", key: process.env.FETTLE_API_KEY });
 * const { items } = await client.listProjects();
 * await client.updateProject({ projectId: items[0].id, body: { name: "Shop" } });
 */
export function createClient(options: ClientOptions): ApiClient {
  return calls(apiRoutes, options) as ApiClient;
}

/**
 * Talks to the pages' own routes.
 *
 * @example
 * const { user } = await createAppClient({ baseUrl: "/app" }).getBootstrap();
 */
export function createAppClient(options: ClientOptions): AppClient {
  return calls(appRoutes, options) as AppClient;
}

// The types above say what each method takes; here all are the same.
function calls(routes: Record<string, string>, client: ClientOptions): unknown {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => [
      id,
      (input: CallInput = {}, options: CallOptions = {}) => request(client, route, input, options),
    ]),
  );
}
