/** @module `fettle cloud projects servers import`: the servers of a configuration people already have, all of them or none. */
import type { SandboxImageId } from "@fettle/contract/core";
import { namesOfDropped } from "@fettle/contract/servers";
import { usageError } from "../../cli-error.ts";
import { finders } from "../../cloud/finders.ts";
import { applyImport } from "../../cloud/import/apply.ts";
import { readImportFile } from "../../cloud/import/file.ts";
import {
  type ImportPlan,
  type PlannedServer,
  type PlanQuestion,
  planImport,
} from "../../cloud/import/plan.ts";
import type { InProject } from "../../cloud/in-project.ts";
import { inNamedProject } from "../../cloud/named-project.ts";
import { canAsk, openTerminal } from "../../connection/terminal.ts";
import type { Outcome } from "../../output/printer.ts";
import { shellWords } from "../../output/shell-words.ts";
import { count } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call } from "../../program/command.ts";
import type { serversImportArguments, serversImportFlags } from "./servers-flags.ts";

type ImportCall = Call<typeof serversImportFlags, typeof serversImportArguments>;

export async function run(call: ImportCall): Promise<Outcome> {
  const { from, only, onClash = "skip", dryRun, yes } = call.flags;
  const { file } = call.arguments;
  const given = new Map(call.flags.var.map(readVar));
  const { path, servers: found } = await readImportFile({ file, from }, call.input, call.world);
  const place = await inNamedProject(call);
  const { items: saved } = await place.client.listProjectServers({ projectId: place.projectId });
  const image = await imageOf(call, place);
  const valueFor = valuesOf(call, given);
  const plan = planImport({ found, saved, only, onClash, valueFor, image });
  refuseProblems(path, plan);
  const work = plan.servers.filter(({ action }) => action !== "skip");
  const where = text`from ${path === "-" ? "stdin" : path} into ${style.bold(place.project.name)}`;
  const asks = !yes && file !== "-" && call.print.format === "human" && canAsk(call.world);
  const isAsked = asks && !dryRun && work.length > 0;
  if (isAsked) {
    await confirm(call, lines([planText(call, plan.servers, "planned"), ""]), work.length, where);
  }
  if (!dryRun) await applyImport(place, plan.servers);
  return {
    value: {
      project: place.scope.project,
      source: path,
      dryRun,
      servers: plan.servers.map((server) => shownAs(call, server)),
    },
    human: () => {
      const total = text`${summary(plan.servers, dryRun)} ${where}`;
      // Whoever was asked has read it all.
      if (isAsked) return text`${style.green("✓")} ${total}`;
      return lines([planText(call, plan.servers, dryRun ? "planned" : "done"), "", total]);
    },
    hint: nextOf(plan.servers, path, dryRun),
  };
}

/** The one that commands are to run in. */
async function imageOf({ flags: { image } }: ImportCall, place: InProject): Promise<PlanQuestion["image"]> {
  if (image === undefined) return undefined;
  const { id, name } = await (await finders["shared image"](place))(image);
  return { id: id as SandboxImageId, name };
}

function readVar(entry: string): [string, string] {
  const at = entry.indexOf("=");
  if (at < 1) throw usageError('--var takes "name=value".');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

/** `--var`, then the environment, then what editors know of themselves. A variable that is set but empty counts as not given. */
function valuesOf({ world }: ImportCall, given: ReadonlyMap<string, string>) {
  const known: Record<string, string> = { workspaceFolder: world.cwd, userHome: world.home };
  return (name: string): string | undefined => given.get(name) ?? (world.env[name] || known[name]);
}

function refuseProblems(path: string, { problems }: ImportPlan): void {
  if (problems.length === 0) return;
  const opens = problems.some(({ problem }) => problem.startsWith("leaves "));
  throw usageError(
    `Nothing was imported: ${count(problems.length, "thing")} in ${path} must be mended first.${problems
      .map(({ name, problem }) => `\n  ${name}: ${problem}`)
      .join("")}`,
    {
      details: { problems },
      hint: opens
        ? "Give a value with --var name=value or in the environment, or import others alone with --only."
        : "Mend the file, or import others alone with --only.",
    },
  );
}

async function confirm(call: ImportCall, shown: Text, number: number, where: Text): Promise<void> {
  const terminal = openTerminal(call.world, call.print);
  try {
    terminal.say(shown);
    const answer = await terminal.ask(text`Save ${count(number, "server")} ${where}? ${style.dim("[Y/n]")}`);
    if (answer !== undefined && /^(y|yes|)$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw usageError("Nothing was imported: you said no.");
}

const marks = {
  planned: { create: style.green("+"), replace: style.yellow("~"), skip: style.dim("-") },
  done: { create: style.green("✓"), replace: style.green("✓"), skip: style.dim("-") },
};
const verbs = {
  planned: { create: "will be saved", replace: "will be replaced", skip: "is left out" },
  done: { create: "saved", replace: "replaced", skip: "left out" },
};

function planText(call: ImportCall, servers: readonly PlannedServer[], stage: "planned" | "done"): Text {
  return lines(
    servers.flatMap((planned) => {
      const { name, savedAs, action, reason, server, credentialsDropped = [] } = planned;
      const as = savedAs === name ? "" : text` as ${style.bold(savedAs)}`;
      const why = reason === undefined ? "" : `: ${reason}`;
      return [
        text`${marks[stage][action]} ${style.bold(name)} ${verbs[stage][action]}${as}${why}`,
        ...(server ? detailsOf(call, server, planned) : []),
        ...(credentialsDropped.length > 0
          ? [
              text`  ${style.yellow("!")} of the one before, ${namesOfDropped(credentialsDropped)} ${stage === "done" ? "are forgotten" : "will be forgotten"}`,
            ]
          : []),
      ];
    }),
  );
}

function detailsOf(
  { advise }: ImportCall,
  server: NonNullable<PlannedServer["server"]>,
  { image }: PlannedServer,
): Text[] {
  const sent = Object.keys(server.kind === "http" ? server.headers : server.env);
  const kept = sent.length > 0 ? ` · ${sent.join(", ")} kept encrypted` : "";
  const isFilled = server.kind === "http" || image !== undefined;
  const filled = isFilled ? server.places.map(({ text: written }) => written) : [];
  const from = filled.length > 0 ? ` · fills ${filled.join(", ")}` : "";
  const off = server.enabled ? "" : " · switched off, as in the file";
  const where =
    server.kind === "http"
      ? withoutValues(server.url)
      : image
        ? `runs in the image ${image.name ?? image.id}`
        : "runs on your machine while this runs (or in an image: --image)";
  return [
    text`  ${style.dim(`${where}${kept}${from}${off}`)}`,
    ...(server.kind === "stdio" && !image ? [text`  ${style.cyan(advise(server.tunnel).line)}`] : []),
    ...server.notes.map((note) => text`  ${style.yellow("!")} ${note}`),
  ];
}

/** A query value can be a credential. */
function withoutValues(url: string): string {
  return url.replaceAll(/([?&][^=&#]*=)[^&#]*/g, "$1***");
}

function shownAs(
  { advise }: ImportCall,
  { name, savedAs, action, id, reason, server, image, credentialsDropped }: PlannedServer,
) {
  return {
    name,
    ...(savedAs !== name && { savedAs }),
    action,
    ...(id !== undefined && { id }),
    ...(reason !== undefined && { reason }),
    ...(credentialsDropped && { credentialsDropped }),
    ...(server && {
      transportType: server.kind,
      enabled: server.enabled,
      ...(server.kind === "http"
        ? {
            url: withoutValues(server.url),
            headerNames: Object.keys(server.headers),
            filled: server.places.map((place) => place.name),
          }
        : {
            envNames: Object.keys(server.env),
            ...(image ? { image } : { tunnel: advise(server.tunnel).line }),
          }),
      ...(server.notes.length > 0 && { notes: server.notes }),
    }),
  };
}

function summary(servers: readonly PlannedServer[], dryRun: boolean): string {
  const number = (action: PlannedServer["action"]) =>
    servers.filter((server) => server.action === action).length;
  const parts = [
    [number("create"), dryRun ? "to save" : "saved"],
    [number("replace"), dryRun ? "to replace" : "replaced"],
    [number("skip"), "left out"],
  ] as const;
  return parts
    .filter(([many]) => many > 0)
    .map(([many, word]) => `${many} ${word}`)
    .join(", ");
}

function nextOf(servers: readonly PlannedServer[], path: string, dryRun: boolean): Text {
  const isClash = ({ action, id }: PlannedServer) => action === "skip" && id !== undefined;
  const words = ["fettle", "cloud", "projects", "servers"];
  if (dryRun) return style.cyan(shellWords([...words, "import", path]));
  if (!servers.some(isClash)) return style.cyan(shellWords([...words, "list"]));
  return style.cyan(shellWords([...words, "import", path, "--on-clash", "rename"]));
}
