/** @module `fettle eval cassette status`: which recordings of a suite still hold. */
import { exitCodes } from "@fettle/contract/core";
import { type CassetteStatus, cassetteStatus, openServers, SetupFailure } from "@fettle/evals";
import { CliError } from "../../cli-error.ts";
import { withDeadline } from "../../connection/deadline.ts";
import { defaultTimeoutMs } from "../../connection/open-server.ts";
import { bindServers } from "../../eval/bind-servers.ts";
import { readValidSuite } from "../../eval/suite-input.ts";
import type { Outcome } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { cassetteStatusFlags } from "./flags.ts";

type StatusCall = Call<typeof cassetteStatusFlags, NoArguments>;

export async function run(call: StatusCall): Promise<Outcome> {
  const { flags, world } = call;
  const { suite } = await readValidSuite(flags.file, world);
  const status = (servers?: Parameters<typeof cassetteStatus>[0]["servers"]) =>
    cassetteStatus({ folder: world.cwd, suite, model: flags.model, servers });
  const isNamed = [flags.url, flags.command, flags.servers, flags.server[0]].some((one) => one !== undefined);
  const cases = isNamed ? await withTools(call, suite, status) : await status();
  const open = cases.filter(({ state }) => state !== "fresh").length;
  return {
    value: { cases, toolsChecked: isNamed, fresh: cases.length - open, notFresh: open },
    human: ({ width }) =>
      lines([
        table(
          columns,
          cases.map((one) => rowOf(one, world.now())),
          width,
        ),
        "",
        open === 0
          ? text`${style.green("✓")} ${count(cases.length, "recording")}, all fresh${isNamed ? "" : "; name the servers to compare their tools too"}`
          : text`${style.yellow("–")} ${open} of ${count(cases.length, "recording")} not fresh`,
      ]),
    ...(open > 0 && {
      hint: `Record them with the model: \`fettle eval run --file ${flags.file} --cassette record\`, with the servers named.`,
    }),
    exitCode: open === 0 ? exitCodes.ok : exitCodes.noVerdict,
  };
}

/** A server that cannot be asked leaves the question open. */
async function withTools<T>(
  call: StatusCall,
  suite: Parameters<typeof bindServers>[1],
  work: (servers: Awaited<ReturnType<typeof openServers>>["links"]) => Promise<T>,
): Promise<T> {
  const bindings = await bindServers(call, suite);
  return withDeadline(call.global.timeout ?? defaultTimeoutMs, async ({ signal }) => {
    try {
      await using servers = await openServers(bindings, signal);
      return await work(servers.links);
    } catch (cause) {
      if (!(cause instanceof SetupFailure)) throw cause;
      throw new CliError("SERVER_UNREACHABLE", cause.message, { exitCode: exitCodes.incomplete, cause });
    }
  });
}

const columns = [
  { header: "" },
  { header: "CASE", shrinks: true },
  { header: "MODEL" },
  { header: "AGE", align: "right" as const },
  { header: "TIMES", align: "right" as const },
  { header: "WHY", shrinks: true },
];

const words: Record<CassetteStatus["state"], Text> = {
  fresh: style.green("fresh"),
  stale: style.yellow("stale"),
  missing: style.red("missing"),
  unreadable: style.red("unreadable"),
};

function rowOf(
  { state, caseKey, model, recordedAt, repetitions, reasons, hasTools }: CassetteStatus,
  now: number,
) {
  const age = recordedAt === null ? "-" : ageOf(now - recordedAt);
  return [
    words[state],
    caseKey,
    model,
    age,
    repetitions === 0 ? "-" : String(repetitions),
    reasons.join("; ") || (hasTools ? "with its tools" : ""),
  ];
}

const dayMs = 86_400_000;
const ageOf = (ms: number) => (ms < dayMs ? "today" : count(Math.floor(ms / dayMs), "day"));
