/** @module One operation in a world of its own, ready to be sent as the access matrix sends it. */
import type { OperationDeclaration } from "@fettle/contract/core";
import { pathOf } from "../../http/route-table.ts";
import { type OperationInput, operationInputs } from "../operation-inputs.ts";
import type { TestService } from "../service.ts";
import { makeWorld, type World } from "../world.ts";

const inputOf = ({ id }: OperationDeclaration): OperationInput =>
  (operationInputs as Record<string, OperationInput>)[id] ?? {};

interface Prepared {
  world: World;
  /** May be called as often as one likes, also at the same time; answers the status. */
  send(): Promise<number>;
  /** The same with other ids in its path, and whatever else is changed. */
  ask(ids: Record<string, string>, changed?: Changed): Promise<Response>;
  /** Sends another operation on what this one is about. */
  also(operation: OperationDeclaration): Promise<Response>;
}

interface Changed {
  headers?: Record<string, string>;
  body?: (usual: Record<string, unknown>) => Record<string, unknown>;
}

export async function preparedOperation(
  { app, url }: TestService,
  operation: OperationDeclaration,
): Promise<Prepared> {
  const { params, query, body } = inputOf(operation);
  const world = await makeWorld(app.db);
  const { owner } = world.people;
  const values: Record<string, string> = {
    projectId: world.projectId,
    organizationId: world.organizationId,
    ...(await params?.(world, app)),
  };
  const pathWith = (ids: Record<string, string>, of = operation) =>
    pathOf(of).replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? values[name] ?? "missing");
  const isOfQuery = operation.access.kind === "project" && operation.access.from === "query";
  const search = new URLSearchParams({ ...(isOfQuery && { projectId: world.projectId }), ...query });
  const headersOf = ({ surface }: OperationDeclaration) =>
    surface === "app"
      ? { cookie: owner.cookie, "x-fettle-app": "1" }
      : { authorization: `Bearer ${owner.key}` };
  await app.pool.query("DELETE FROM rate_limits");
  const ask: Prepared["ask"] = (ids, changed = {}) => {
    const usual = body?.(world, values);
    const sent = changed.body ? changed.body((usual ?? {}) as Record<string, unknown>) : usual;
    return fetch(`${url}${pathWith(ids)}?${search}`, {
      method: operation.method,
      redirect: "manual",
      headers: {
        ...headersOf(operation),
        ...(body && { "content-type": "application/json" }),
        ...changed.headers,
      },
      ...(body && { body: JSON.stringify(sent) }),
    });
  };
  const send = async () => {
    const response = await ask({});
    await response.body?.cancel();
    return response.status;
  };
  const also = (other: OperationDeclaration) =>
    fetch(url + pathWith({}, other), { headers: headersOf(other) });
  return { world, send, ask, also };
}
