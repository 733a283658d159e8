/** @module Ties contract operations to rule functions. A built operation without a handler, or a handler without an operation, does not compile. */
import type {
  ApiError,
  ApiKeyId,
  BodyOf,
  OperationDeclaration,
  OrganizationId,
  OrganizationRole,
  OutputOf,
  ParametersOf,
  ProjectGrant,
  ProjectId,
  QueryOf,
  UserId,
} from "@fettle/contract/core";
import type { Operations } from "@fettle/contract/operations";
import type { FastifyReply } from "fastify";
import type { App } from "../app.ts";
import type { Querier } from "../db/pool.ts";
import type { CallOperation } from "./in-process.ts";
import type { FindAlong, ReadAlong } from "./read-along.ts";
import type { WrittenJson } from "./written-json.ts";

/** Who is calling, as the credential proves it. */
export type Caller =
  | { kind: "key"; userId: UserId; organizationId: OrganizationId; keyId: ApiKeyId }
  | { kind: "session"; userId: UserId; sessionId: string; via: "browser" | "cli" }
  | { kind: "guest"; guestId: string }
  | { kind: "nobody" };

/** A caller who is a person, however they proved it. */
export type SignedInCaller = Extract<Caller, { userId: UserId }>;

/** The project a call is about, already proven visible to the caller and the role held. */
export interface ProjectContext {
  id: ProjectId;
  organizationId: OrganizationId;
  organizationRole: OrganizationRole | null;
  grant: ProjectGrant | null;
  /** Organization role member or above; a bare project grant is not enough. */
  isWorkspaceMember: boolean;
  /** Granted admin here, or admin or owner of the organization. */
  isAdmin: boolean;
}

/** The organization a call is about, already proven to be the caller's and the role held. */
export interface OrganizationContext {
  id: OrganizationId;
  role: OrganizationRole;
}

/** Our own pages take a browser session alone, so a key or guest never reaches such a handler. */
type CallerOf<O extends OperationDeclaration> = O["access"] extends { kind: "public" }
  ? Caller
  : O["surface"] extends "app"
    ? Extract<Caller, { kind: "session" }>
    : O["access"] extends { kind: "guest" }
      ? Exclude<Caller, { kind: "nobody" }>
      : SignedInCaller;

export interface Call<O extends OperationDeclaration> {
  app: App;
  /** What a write goes through: the database, or the transaction that also remembers an idempotent call's answer. */
  db: Querier;
  caller: CallerOf<O>;
  project: O["access"] extends { kind: "project" } ? ProjectContext : undefined;
  organization: O["access"] extends { kind: "organization" } ? OrganizationContext : undefined;
  params: ParametersOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  request: {
    id: string;
    ip: string;
    headers: Record<string, string | string[] | undefined>;
    signal: AbortSignal;
  };
  /** Another operation as the same caller, by its own route. */
  calls: CallOperation;
  /** For the few answers that say more than their body: another declared status, a cookie, a cursor header. */
  reply: { status(code: number): void; header(name: string, value: string | string[]): void };
}

/** What it takes to find what a path names in its project. */
export interface InProject<Params> {
  app: App;
  project: { id: ProjectId };
  params: Params;
}

/** The same where it depends on who asks what is there. */
export interface AskedBy<Params> extends InProject<Params> {
  caller: { userId: UserId };
}

type Answer<O extends OperationDeclaration> = Promise<OutputOf<O> | WrittenJson> | OutputOf<O>;

export type Run<O extends OperationDeclaration> = (call: Call<O>) => Answer<O>;

/** Made by `bindResource`. */
export interface ResourceHandler<O extends OperationDeclaration> {
  find(call: Call<O>): Promise<unknown>;
  /** How it is read together with the credential instead, where it can be. */
  along: ReadAlong<unknown> | undefined;
  run(call: Call<O>, found: unknown): Answer<O>;
  hintFor(found: unknown): string | undefined;
}

/** What is known of a call whose body was turned away: the body as it came, and no query. */
export type RefusedCall<O extends OperationDeclaration> = Omit<Call<O>, "body" | "query"> & { body: unknown };

/** Made by `bindWithRefusal`. */
export interface RefusalHandler<O extends OperationDeclaration> {
  run: Run<O>;
  refused(call: RefusedCall<O>, refusal: ApiError): Promise<void>;
}

/** For an operation that writes its own response: a stream, a redirect. */
export type RawHandler<O extends OperationDeclaration> = (call: Call<O>, response: FastifyReply) => unknown;

export type Handler<O extends OperationDeclaration> = O extends { raw: true }
  ? RawHandler<O>
  : Run<O> | ResourceHandler<O> | RefusalHandler<O>;

/**
 * Binds an operation about one thing inside a project. The thing is looked for before the role is checked, because
 * whoever sees the project is told 404 about a missing thing and 403 only about one that exists. `hintFor` says what to do
 * about such a 403 where those who hold the role could not do it either.
 *
 * @example
 * deleteServer: bindResource(
 *   ({ app, project, params }) => servers.find(app, project.id, params.serverId),
 *   ({ app }, server) => servers.remove(app, server),
 * )
 */
export function bindResource<O extends OperationDeclaration, Found>(
  find: (call: Call<O>) => Promise<Found | undefined>,
  run: (call: Call<O>, found: Found) => Answer<O>,
  hintFor: (found: Found) => string | undefined = () => undefined,
): ResourceHandler<O> {
  // They are only ever called together: what `find` returned is what the others are given.
  return {
    find,
    along: "along" in find ? (find as FindAlong<Call<O>, Found>).along : undefined,
    run: (call, found) => run(call, found as Found),
    hintFor: (found) => hintFor(found as Found),
  };
}

/**
 * Binds an operation that leaves something behind when its body is refused, by the contract's schema or by the rule
 * function. Only a VALIDATION_ERROR counts as one.
 *
 * @example
 * upsertReport: bindWithRefusal(
 *   ({ app, body }) => reports.add(app, body),
 *   ({ app, body }, refusal) => reports.noteRefusal(app, body, refusal),
 * )
 */
export function bindWithRefusal<O extends OperationDeclaration>(
  run: Run<O>,
  refused: RefusalHandler<O>["refused"],
): RefusalHandler<O> {
  return { run, refused };
}

/** A handler for every built operation; the rest are answered as not built. */
export type Bindings = {
  [Id in keyof Operations as Operations[Id] extends { built: true } ? Id : never]: Handler<Operations[Id]>;
};
