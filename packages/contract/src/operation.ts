/** @module How one operation is said, once: the router, access check, OpenAPI, client, CLI and tests all read this. */
import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** `api` is the public surface under `/api/v1`; `app` serves our own pages and takes a browser session only, never a key. */
export type Surface = "api" | "app";

/** What a caller must be inside a project. `manage` is computed as `admin`; it is its own word because the spec's is. */
export type ProjectRole = "member" | "workspace_member" | "admin" | "manage";

/**
 * Who may call. `public`: no credential at all (app surface only). `guest`: any bearer, guest tokens included.
 * `any`: any signed-in caller. `project`: the project named by the path (or query) is visible, and the role is held.
 * `owner`: signed in, and the rule function checks that the thing named by the path is the caller's own.
 */
export type Access =
  | { kind: "public" }
  | { kind: "guest" }
  | { kind: "any" }
  | { kind: "owner" }
  | { kind: "project"; role: ProjectRole; from: "path" | "query" };

export const access = {
  public: { kind: "public" },
  guest: { kind: "guest" },
  any: { kind: "any" },
  owner: { kind: "owner" },
  project: {
    read: { kind: "project", role: "member", from: "path" },
    readByQuery: { kind: "project", role: "member", from: "query" },
    workspaceMember: { kind: "project", role: "workspace_member", from: "path" },
    admin: { kind: "project", role: "admin", from: "path" },
    manage: { kind: "project", role: "manage", from: "path" },
  },
} as const satisfies Record<string, Access | Record<string, Access>>;

type Schema = z.ZodType;

export interface OperationDeclaration {
  id: string;
  tag: string;
  method: Method;
  /** Relative to the surface's base, with `{name}` parameters. */
  path: string;
  access: Access;
  summary: string;
  surface?: Surface;
  /** Success status; 200 unless said. */
  status?: 200 | 201 | 202;
  /** Spends model budget. */
  spends?: boolean;
  /** Takes access away, at once. */
  narrows?: boolean;
  /** Takes `Idempotency-Key`. */
  idempotent?: boolean;
  /** Answers with `Deprecation: true` and points at the operation that replaced it. */
  deprecated?: { successor: string };
  query?: Schema;
  body?: Schema;
  /** Absent until the operation is built; then it answers FEATURE_NOT_SUPPORTED with `details.reason: "not_built"`. */
  output?: Schema;
  /** Beyond 401, 403, 404, 429 and 500, which every operation may answer. */
  errors?: readonly ErrorCode[];
}

export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParameters<Rest>]: string }
  : Record<never, string>;

/**
 * Declares an operation and keeps its literal type, so that a binding, a client call and a path parameter are all checked.
 *
 * @example
 * export const listServerGroups = operation({
 *   id: "listServerGroups", tag: "Environments", method: "GET", path: "/projects/{projectId}/server-groups",
 *   access: access.project.read, summary: "List a project's server groups", output: page(ServerGroup),
 * });
 */
export function operation<const D extends OperationDeclaration>(declaration: D): D {
  return declaration;
}

export type BodyOf<D extends OperationDeclaration> = D["body"] extends Schema
  ? z.output<D["body"]>
  : undefined;
export type BodyInputOf<D extends OperationDeclaration> = D["body"] extends Schema
  ? z.input<D["body"]>
  : undefined;
export type QueryOf<D extends OperationDeclaration> = D["query"] extends Schema
  ? z.output<D["query"]>
  : undefined;
export type OutputOf<D extends OperationDeclaration> = D["output"] extends Schema
  ? z.output<D["output"]>
  : never;
export type ParametersOf<D extends OperationDeclaration> = PathParameters<D["path"]>;
