/** @module Every route the service answers, contract or raw: their paths, the methods a path takes, and the committed table of the raw ones. */
import type { Method, OperationSummary } from "@fettle/contract/core";
import { operationTable } from "@fettle/contract/operations";
import type { RawRoute } from "../core/routing/raw-route.ts";

export const surfaceBase = { api: "/api/v1", app: "/app" } as const;

export const operationRoutes: OperationSummary[] = Object.values(operationTable);

/** The whole path of an operation, with `{name}` parameters. */
export function pathOf(operation: OperationSummary): string {
  return surfaceBase[operation.surface ?? "api"] + operation.path;
}

/** The same, and every other path that means the operation. */
export function pathsOf(operation: OperationSummary): string[] {
  const base = surfaceBase[operation.surface ?? "api"];
  return [operation.path, ...(operation.aliases ?? [])].map((path) => base + path);
}

/** `{name}` as the router writes it. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Which methods a path answers; empty when there is no such path. */
export type AllowedMethods = (path: string) => string[];

export function createAllowedMethods(rawRoutes: readonly RawRoute[]): AllowedMethods {
  const routes = [
    ...operationRoutes.flatMap((operation) =>
      pathsOf(operation).map((path) => ({
        pattern: patternOf(path),
        methods: operation.raw ? [operation.method] : withHead([operation.method]),
      })),
    ),
    ...rawRoutes
      // Pages stand for every path that nothing else answers, and so say nothing about any one.
      .filter(({ path }) => path !== "/*")
      .map(({ path, methods }) => ({ pattern: patternOf(path), methods: withHead(methods) })),
  ];
  return (path) => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, "OPTIONS"])].sort();
  };
}

/** Whatever can be read can also be asked for its head alone. */
export function withHead(methods: readonly Method[]): string[] {
  return methods.includes("GET") ? [...methods, "HEAD"] : [...methods];
}

function patternOf(path: string): RegExp {
  const literal = (text: string) => text.replaceAll(/[.+?^$()|[\]\\]/g, "\\$&");
  const source = literal(path)
    .replaceAll(/\{\w+\}/g, "[^/]+")
    .replace(/\*$/, ".*");
  return new RegExp(`^${source}$`);
}

/** The raw routes as a committed document, so that a new one, or one that opened up, shows in review. */
export function renderRawRoutes(rawRoutes: readonly RawRoute[]): string {
  const rows = rawRoutes.flatMap(({ methods, path, id, policy, why }) =>
    methods.map((method) => `| ${method} | \`${path}\` | ${id} | ${policy} | ${why} |`),
  );
  return [
    "<!-- Written by `vitest run route-table -u`. Do not edit. -->",
    "# Routes beside the contract's, and who may call them",
    "",
    "The contract's own are in `packages/contract/generated/routes.md`. Policies are explained in `../src/core/routing/raw-route.ts`.",
    "",
    "| Method | Path | Id | Policy | Why it is no operation, and what protects it |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
