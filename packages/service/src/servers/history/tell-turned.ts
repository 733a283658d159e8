/** @module Tells when an examination of a server comes out otherwise than the one before it: what the doctor says of it, or on which hosts it works. */
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { ownOrigin } from "../../people/accounts/origin.ts";
import { tell } from "../../runs/notices/tell.ts";
import type { KeptAbout } from "./keeper.ts";
import { type HistoryRow, listResultsBefore } from "./store.ts";

type Verdicts = Record<string, string>;

/** Each by its name, as its result has them. Whatever could not be told, or is too long to be kept, is no verdict. */
const readers: Record<string, z.ZodType<Verdicts>> = {
  doctor: z.object({ status: z.string() }).transform(({ status }) => ({ doctor: status })),
  compat: z
    .object({ hosts: z.array(z.object({ hostId: z.string(), verdict: z.string() })) })
    .transform(({ hosts }) => Object.fromEntries(hosts.map(({ hostId, verdict }) => [hostId, verdict]))),
};

export const hasVerdicts = (kind: string): boolean => kind in readers;

function verdictsOf(kind: string, result: string | null): Verdicts | undefined {
  return result === null ? undefined : readers[kind]?.safeParse(JSON.parse(result)).data;
}

/** `entry` is written already, and `result` is what was kept of it. */
export async function tellTurned(
  app: App,
  tx: Transaction,
  { projectId }: KeptAbout,
  entry: HistoryRow,
  result: string | null,
): Promise<void> {
  const { serverId, kind, id } = entry;
  const now = verdictsOf(kind, result);
  if (!now) return;
  const { name, results } = await listResultsBefore(tx, { serverId, kind, id });
  const before = results.map((each) => verdictsOf(kind, each)).find((each) => each !== undefined) ?? {};
  const turned = Object.entries(now).flatMap(([suite, to]) => {
    const from = before[suite];
    return from === undefined || from === to ? [] : [{ suite, from, to }];
  });
  if (turned.length === 0) return;
  const url = `${ownOrigin(app.config)}/p/${projectId}/servers/${serverId}/history/${id}`;
  await tell(app, tx, projectId, "verdict.turned", { kind, turned, server: { id: serverId, name }, url });
}
