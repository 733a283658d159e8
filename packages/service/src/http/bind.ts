/** @module Ties contract operations to rule functions. A built operation without a handler, or a handler without an operation, does not compile. */
import type {
  BodyOf,
  OperationDeclaration,
  Operations,
  OrganizationRole,
  OutputOf,
  ParametersOf,
  QueryOf,
} from "@fettle/contract";
import type { App } from "../app.ts";

/** Who is calling, as the credential proves it. */
export type Caller =
  | { kind: "key"; userId: string; organizationId: string; keyId: string }
  | { kind: "session"; userId: string; sessionId: string; via: "browser" | "cli" }
  | { kind: "guest"; guestId: string }
  | { kind: "nobody" };

/** The project a call is about, already proven visible to the caller and the role held. */
export interface ProjectContext {
  id: string;
  organizationId: string;
  /** The caller's standing here, for rules that need more than the declared role. */
  isWorkspaceMember: boolean;
  isAdmin: boolean;
}

/** The organization a call is about, already proven to be the caller's and the role held. */
export interface OrganizationContext {
  id: string;
  role: OrganizationRole;
}

export interface Call<O extends OperationDeclaration> {
  app: App;
  caller: O["access"] extends { kind: "public" }
    ? Caller
    : O["access"] extends { kind: "guest" }
      ? Exclude<Caller, { kind: "nobody" }>
      : Exclude<Caller, { kind: "nobody" | "guest" }>;
  project: O["access"] extends { kind: "project" } ? ProjectContext : undefined;
  organization: O["access"] extends { kind: "organization" } ? OrganizationContext : undefined;
  params: ParametersOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  request: { id: string; ip: string; headers: Record<string, string | undefined>; signal: AbortSignal };
}

export type Handler<O extends OperationDeclaration> = (call: Call<O>) => Promise<OutputOf<O>> | OutputOf<O>;

type IsBound<O> = O extends { built: true } ? (O extends { raw: true } ? false : true) : false;

/** A handler for every built operation; the rest are answered as not built. Raw ones are served by the folder that owns them. */
export type Bindings = {
  [Id in keyof Operations as IsBound<Operations[Id]> extends true ? Id : never]: Handler<Operations[Id]>;
};
