/** @module What happened, as an email says it. */

import { must } from "@fettle/contract/formats";
import { z } from "zod";
import type { NoticeRow } from "./store.ts";

const Named = z.object({ name: z.string() });
const Turn = z.object({ suite: z.string(), from: z.string(), to: z.string() });

/** What an email uses of the data of every event. */
const Told = z.object({
  project: Named,
  server: Named.nullish(),
  suite: Named.optional(),
  turned: z.array(Turn).optional(),
  run: z
    .object({
      status: z.string(),
      outcome: z.string().nullable(),
      passed: z.number(),
      failed: z.number(),
    })
    .optional(),
  url: z.string(),
});
type Told = z.output<typeof Told>;

const of = ({ server, suite }: Told) => server?.name ?? suite?.name ?? "a server that is not saved";
const counts = ({ run }: Told) => (run ? `${run.passed} passed, ${run.failed} failed.` : "");
const ended = (kind: string) => (told: Told) => ({
  subject: `${of(told)}: ${told.run?.outcome ?? told.run?.status ?? "ended"}`,
  lines: [`A ${kind} of ${of(told)} ended: ${told.run?.outcome ?? told.run?.status}.`, counts(told)],
});

const says: Record<string, (told: Told) => { subject: string; lines: string[] }> = {
  "verdict.turned": (told) => ({
    subject: `${of(told)}: ${told.turned?.map(({ suite, to }) => `${suite} ${to}`).join(", ")}`,
    lines: [
      `A verdict on ${of(told)} has turned.`,
      ...(told.turned ?? []).map(({ suite, from, to }) => `${suite}: ${from} before, ${to} now.`),
      counts(told),
    ],
  }),
  "conformance_run.ended": ended("conformance run"),
  "eval_run.ended": ended("run"),
  "tunnel.dropped": (told) => ({
    subject: `${of(told)}: the tunnel dropped`,
    lines: [`The tunnel of ${of(told)} has been disconnected for a minute.`],
  }),
};

export function linesOf({ type, projectId, data }: NoticeRow, origin: string) {
  const told = Told.parse(data);
  const { subject, lines } = must(says[type], "words for each kind of notice")(told);
  return {
    subject,
    lines: [...lines.filter((line) => line !== ""), `Project: ${told.project.name}`],
    url: told.url,
    settingsUrl: `${origin}/p/${projectId}/settings/notices`,
  };
}
