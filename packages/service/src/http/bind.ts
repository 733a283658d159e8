/** @module Ties contract operations to rule functions. A built operation without a handler, or a handler without an operation, does not compile. */
import type {
  BodyOf,
  OperationDeclaration,
  Operations,
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

export interface Call<O extends OperationDeclaration> {
  app: App;
  caller: O["access"] extends { kind: "public" }
    ? Caller
    : O["access"] extends { kind: "guest" }
      ? Exclude<Caller, { kind: "nobody" }>
      : Exclude<Caller, { kind: "nobody" | "guest" }>;
  project: O["access"] extends { kind: "project" } ? ProjectContext : undefined;
  params: ParametersOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  request: { id: string; ip: string; headers: Record<string, string | undefined>; signal: AbortSignal };
}

export type Handler<O extends OperationDeclaration> = (call: Call<O>) => Promise<OutputOf<O>> | OutputOf<O>;

/** A handler for every operation that has an output; the rest are answered as not built. */
export type Bindings = {
  [Id in keyof Operations as Operations[Id] extends { output: object } ? Id : never]: Handler<Operations[Id]>;
};
