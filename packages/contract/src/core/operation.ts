/** @module How one operation is said, once: the router, access check, OpenAPI, client, CLI and tests all read this. */
import type { z } from "zod";
import type { Effect } from "./effect.ts";
import type { ErrorCode } from "./errors.ts";
import type { ParameterValue } from "./id.ts";
import type { OrganizationRole } from "./roles.ts";
import type { SharedNameKind, Touches } from "./touches.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** `api` is the public surface under `/api/v1`; `app` serves our own pages and takes a browser session only, never a key. */
export type Surface = "api" | "app";

/** What a caller must be inside a project. `manage` is computed as `admin`; it is its own word because the spec's is. */
export type ProjectRole = "member" | "workspace_member" | "admin" | "manage";

/**
 * Who may call. `public`: no credential at all (app surface only). `guest`: any bearer, guest tokens included.
 * `any`: any signed-in caller. `organization`: the caller holds the role, or a higher one, in the organization of the path.
 * `project`: the project named by the path (or query) is visible, and the role is held.
 * `owner`: signed in, and the rule function checks that the thing named by the path is the caller's to see.
 */
export type Access =
  | { kind: "public" }
  | { kind: "guest" }
  | { kind: "any" }
  | { kind: "owner" }
  | { kind: "organization"; role: OrganizationRole }
  | { kind: "project"; role: ProjectRole; from: "path" | "query"; orDefault?: true };

/** Of whatever asks an MCP server. */
export const serverErrors = [
  "SERVER_UNREACHABLE",
  "MCP_ERROR",
  "INVALID_ANSWER",
  "TIMEOUT",
] as const satisfies readonly ErrorCode[];

export const access = {
  public: { kind: "public" },
  guest: { kind: "guest" },
  any: { kind: "any" },
  owner: { kind: "owner" },
  organization: {
    /** Belongs to it in any role. */
    guest: { kind: "organization", role: "guest" },
    member: { kind: "organization", role: "member" },
    admin: { kind: "organization", role: "admin" },
    owner: { kind: "organization", role: "owner" },
  },
  project: {
    read: { kind: "project", role: "member", from: "path" },
    /** `default` in the path stands for the default project of the caller's organization. */
    readOrDefault: { kind: "project", role: "member", from: "path", orDefault: true },
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
  /** Other paths that mean the same operation. */
  aliases?: readonly string[];
  access: Access;
  /** What the rule function asks beyond `access`, where it depends on the body or on the thing itself. */
  elevated?: string;
  /** A few words, no full stop. */
  summary: string;
  /** What it does, in a sentence or two beyond `summary`. Every operation of the API has one; a test asks for it. */
  description?: string;
  surface?: Surface;
  /** The command that does the same. */
  cli?: string;
  /** A handler must exist. Absent: answers FEATURE_NOT_SUPPORTED with `details.reason: "not_built"` after the access check. */
  built?: true;
  /** The handler writes the response itself (an event stream, a redirect), so there is no `output`. */
  raw?: true;
  /** Success status; 200 unless said. */
  status?: 200 | 201 | 202;
  /** Answers 201, with the same body, when the call made what it is about. */
  makes?: true;
  /** Spends model budget; `opt_in`: only when the body asks for it. */
  spends?: true | "opt_in";
  /** Takes access away, at once. */
  narrows?: true;
  /** What it does to the world, where `method`, `spends` and `narrows` do not tell. */
  effect?: Effect;
  /** What a `write` changes. Absent: a model may only propose it, whatever it names. */
  touches?: Touches;
  /** Of a `write` whose `body.name` names one of these: whoever selects another one by that name is touched, too. */
  names?: SharedNameKind;
  /** Whole numbers anywhere in the body keep their digits, however many; elsewhere a double has to do. */
  exactNumbers?: true;
  /** The same for everyone for a while: may be kept, carries an `ETag`, and is 304 to who has it. */
  kept?: true;
  /**
   * Takes `Idempotency-Key`. True: the answer is remembered in the handler's transaction. `claimed`: it asks somebody else, so the key
   * is claimed before and the answer remembered after. `own`: the handler knows a repetition itself and answers with what has become of the first.
   */
  idempotent?: true | "claimed" | "own";
  /** Answers with `Deprecation: true` and points at the operation that replaced it. */
  deprecated?: { successor: string };
  /** Absent: no query, anything else is refused. */
  query?: Schema;
  /** Absent: an empty body or `{}`, anything else is refused. */
  body?: Schema;
  output?: Schema;
  /** In place of `output`, of an operation that answers with server-sent events: what each of them says, by its name. */
  events?: Record<string, Schema>;
  /** The answer of a refusal that says more than `{code, message, details}`. */
  refusals?: { readonly [Code in ErrorCode]?: Schema };
  /** Beyond 400, 401, 403, 404, 429 and 500, which every operation may answer. */
  errors?: readonly ErrorCode[];
}

/** What is known of an operation without making its schemas. */
export interface OperationSummary
  extends Omit<OperationDeclaration, "query" | "body" | "output" | "events" | "refusals" | "description"> {
  /** It answers with `items`. */
  lists?: true;
}

export function isListOf(output: Schema | undefined): boolean {
  return output !== undefined && "shape" in output && "items" in (output.shape as object);
}

type PathParameters<Path extends string> = Path extends `${infer Before}{${infer Name}}${infer Rest}`
  ? { [K in Name]: ParameterValue<Before, K> } & PathParameters<Rest>
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

/** What a call does to the world; undefined: nobody has said, and a test asks for it. */
export function effectOf({
  effect,
  method,
  spends,
  narrows,
  surface,
}: OperationDeclaration): Effect | undefined {
  if (effect) return effect;
  if (surface === "app") return "person";
  if (narrows || method === "DELETE") return "remove";
  if (spends) return "spend";
  return method === "GET" ? "read" : undefined;
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
export type QueryInputOf<D extends OperationDeclaration> = D["query"] extends Schema
  ? z.input<D["query"]>
  : undefined;
export type OutputOf<D extends OperationDeclaration> = D["output"] extends Schema
  ? z.output<D["output"]>
  : never;
export type ParametersOf<D extends OperationDeclaration> = PathParameters<D["path"]>;
