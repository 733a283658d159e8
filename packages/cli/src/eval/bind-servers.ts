/** @module Which server stands behind each name of a suite: `--server`, a host's configuration, or the connection flags for a suite with one. */
import { only } from "@fettle/contract/formats";
import { fillOpenPlaces } from "@fettle/contract/servers";
import type { ServerBinding, SuiteFile } from "@fettle/evals";
import { type ConnectOptions, parseTarget, type Target } from "@fettle/mcp";
import { usageError } from "../cli-error.ts";
import { readImportFile } from "../cloud/import/file.ts";
import { asUsageError } from "../connection/failure.ts";
import { planConnection, type ServerCall } from "../connection/open-server.ts";
import { authorizeFrom } from "../connection/renewal.ts";
import { splitWords } from "../output/split-words.ts";
import { version } from "../version.ts";

type BindCall = Omit<ServerCall, "flags"> & {
  flags: ServerCall["flags"] & { server: string[]; servers?: string | undefined };
};

/** Every conflict and, unless what is played needs none, every name without a server is refused before anything is started. */
export async function bindServers(
  call: BindCall,
  suite: SuiteFile,
  { mayBeUnbound = false }: { mayBeUnbound?: boolean } = {},
): Promise<ServerBinding[]> {
  const { flags } = call;
  const wanted = (suite.target.servers ?? []).map(({ name }) => name);
  const found = new Map<string, ServerBinding>();
  const clientInfo = { name: "fettle", version };
  const bind = (name: string, target: Target, options: ConnectOptions = { clientInfo }) => {
    if (found.has(name)) throw usageError(`"${name}" is bound twice.`);
    found.set(name, { name, target, options });
  };
  for (const entry of flags.server) {
    const at = entry.indexOf("=");
    if (at < 1)
      throw usageError(`--server takes name=<url or command line>, not "${at < 0 ? entry : "=…"}".`);
    bind(entry.slice(0, at), targetOf(entry.slice(at + 1)));
  }
  if (flags.servers !== undefined) await bindFile(call, flags.servers, wanted, bind, found);
  if (flags.url !== undefined || flags.command !== undefined) {
    // A suite that names an environment alone says nothing of servers but in its calls.
    const names = wanted.length > 0 ? wanted : calledServers(suite);
    const open = (names.length > 0 ? names : ["server"]).filter((name) => !found.has(name));
    const server = only(open);
    if (server === undefined) {
      throw usageError(
        open.length === 0
          ? "The connection flags name a server more than the suite has."
          : `--url and --command name one server, and the suite needs ${open.length}: ${open.join(", ")}.`,
        { hint: "Bind each with --server name=<url or command line>, or all with --servers <mcp.json>." },
      );
    }
    const plan = await planConnection(call);
    const { protocolVersion } = flags;
    bind(server, plan.target, {
      ...(!plan.host && { clientInfo }),
      ...(plan.host && { host: plan.host }),
      ...(plan.capabilities && { capabilities: plan.capabilities }),
      ...(protocolVersion !== undefined && { protocolVersion }),
      ...(plan.renewal && { authorize: authorizeFrom(plan.renewal, plan.target, protocolVersion) }),
    });
  }
  if (!mayBeUnbound) refuseUnbound(suite, wanted, found);
  refuseStrange(wanted, found);
  return wanted.length === 0 ? [...found.values()] : wanted.flatMap((name) => found.get(name) ?? []);
}

function refuseUnbound(
  suite: SuiteFile,
  wanted: readonly string[],
  found: ReadonlyMap<string, unknown>,
): void {
  const called = calledServers(suite);
  const unbound = [...new Set([...wanted, ...called])].filter((name) => !found.has(name));
  if (unbound.length > 0 || found.size === 0) {
    const names = unbound.length > 0 ? unbound : ["server"];
    throw usageError(`No server is given for: ${unbound.join(", ") || "the suite's environment"}.`, {
      details: { unbound },
      hint: `Bind ${names.length === 1 ? "it" : "each"}, for example --server ${names[0]}=http://127.0.0.1:3001/mcp or --server ${names[0]}="node server.js".`,
    });
  }
}

function refuseStrange(wanted: readonly string[], found: ReadonlyMap<string, unknown>): void {
  if (wanted.length === 0) return;
  const strange = [...found.keys()].filter((name) => !wanted.includes(name));
  if (strange.length > 0) {
    throw usageError(`The suite has no server called ${strange.join(", ")}; it has ${wanted.join(", ")}.`);
  }
}

/** The names in the calls that enabled cases make themselves. */
function calledServers({ cases }: SuiteFile): string[] {
  const names = cases.flatMap(({ disabled, steps }) =>
    disabled === true ? [] : steps.flatMap((step) => (step.kind === "toolCall" ? [step.serverName] : [])),
  );
  return [...new Set(names)];
}

function targetOf(written: string): Target {
  try {
    if (/^https?:\/\//i.test(written.trim())) return parseTarget({ url: written.trim() });
    const [command = "", ...args] = splitWords(written);
    return parseTarget({ command, args });
  } catch (error) {
    throw asUsageError(error);
  }
}

async function bindFile(
  { input, world }: BindCall,
  path: string,
  wanted: readonly string[],
  bind: (name: string, target: Target) => void,
  found: ReadonlyMap<string, unknown>,
): Promise<void> {
  const { servers } = await readImportFile({ file: path, from: undefined }, input, world);
  for (const server of servers) {
    // A file lists what a person has; the suite says which of them it means.
    if (!wanted.includes(server.name) || found.has(server.name)) continue;
    if (server.kind === "foreign" || server.kind === "unreadable") {
      throw usageError(`"${server.name}" in ${path} cannot be used: ${server.reason}`);
    }
    const open = server.places.filter(({ name, fallback }) => (world.env[name] ?? fallback) === undefined);
    if (open.length > 0) {
      const names = open.map(({ name }) => name).join(", ");
      throw usageError(`"${server.name}" in ${path} leaves ${names} open; set it in the environment.`);
    }
    const fill = (value: string) => fillOpenPlaces(value, (name) => world.env[name]);
    const filled = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
    try {
      bind(
        server.name,
        server.kind === "http"
          ? parseTarget({ url: fill(server.url), headers: filled(server.headers) })
          : parseTarget({
              command: fill(server.command),
              args: server.args.map(fill),
              env: filled(server.env),
              ...(server.cwd !== undefined && { cwd: server.cwd }),
            }),
      );
    } catch (error) {
      throw asUsageError(error);
    }
  }
}
