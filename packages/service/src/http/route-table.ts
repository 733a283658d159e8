/** @module Every route the service answers, contract or raw, with its policy; the router, the 405 answer and the committed table read this one list. */
import { type Access, type Method, type OperationDeclaration, operations } from "@fettle/contract";
import type { RawRoute } from "./raw-route.ts";

export const surfaceBase = { api: "/api/v1", app: "/app" } as const;

export const allOperations: OperationDeclaration[] = Object.values(operations);

/** The whole path of an operation, with `{name}` parameters. */
export function pathOf(operation: OperationDeclaration): string {
  return surfaceBase[operation.surface ?? "api"] + operation.path;
}

/** `{name}` as the router writes it. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Which methods a path answers; empty when there is no such path. */
export type AllowedMethods = (path: string) => string[];

export function createAllowedMethods(rawRoutes: readonly RawRoute[]): AllowedMethods {
  const routes = [
    ...allOperations.map((operation) => ({
      pattern: patternOf(pathOf(operation)),
      methods: withHead([operation.method], !operation.raw),
    })),
    ...rawRoutes.map(({ path, methods }) => ({ pattern: patternOf(path), methods: withHead(methods, true) })),
  ];
  return (path) => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, "OPTIONS"])].sort();
  };
}

function withHead(methods: readonly Method[], hasHead: boolean): string[] {
  return hasHead && methods.includes("GET") ? [...methods, "HEAD"] : [...methods];
}

function patternOf(path: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.+?^$()|[\]\\]/g, "\\$&");
  const source = literal(path)
    .replaceAll(/\{\w+\}/g, "[^/]+")
    .replace(/\*$/, ".*");
  return new RegExp(`^${source}$`);
}

/** How a policy is written in the table. */
function policyText(access: Access): string {
  if (access.kind === "project")
    return `project ${access.role}${access.from === "query" ? " (by query)" : ""}`;
  return access.kind === "organization" ? `organization ${access.role}` : access.kind;
}

interface Row {
  method: Method;
  path: string;
  id: string;
  caller: string;
  policy: string;
  note: string;
}

/** The table as a document, so that a change of policy shows in review. */
export function renderRouteTable(rawRoutes: readonly RawRoute[]): string {
  const rows: Row[] = [
    ...allOperations.map((operation) => ({
      method: operation.method,
      path: pathOf(operation),
      id: operation.id,
      caller: operation.surface === "app" ? "browser" : "bearer or browser",
      policy: policyText(operation.access),
      note: [operation.built ? "" : "not built", operation.elevated ?? ""].filter(Boolean).join("; "),
    })),
    ...rawRoutes.flatMap((route) =>
      route.methods.map((method) => ({
        method,
        path: route.path,
        id: route.id,
        caller: route.policy === "session" ? "browser" : "anyone",
        policy: route.policy,
        note: route.why,
      })),
    ),
  ];
  const line = ({ method, path, id, caller, policy, note }: Row) =>
    `| ${method} | \`${path}\` | ${id} | ${caller} | ${policy} | ${note.replaceAll("|", "\\|")} |`;
  return [
    "# Routes and who may call them",
    "",
    "Written by a test from the contract and the raw routes; `npx vitest run route-table -u` writes it anew.",
    "",
    `${rows.length} routes. Policies are explained in \`packages/contract/src/operation.ts\` and \`packages/service/src/http/raw-route.ts\`.`,
    "",
    "| Method | Path | Id | Credential | Policy | Note |",
    "|---|---|---|---|---|---|",
    ...rows.map(line),
    "",
  ].join("\n");
}
