/** @module `fettle xaa run`: cross-app access from the grant to an answer of the MCP server. */
import { exitCodes, keysOf, limits } from "@fettle/contract/core";
import {
  checkUrl,
  openClientKey,
  openIssuerKey,
  reflectorUrl,
  runXaa,
  type SpoilMode,
  spoiledGrants,
  type XaaOptions,
  type XaaResult,
  type XaaStep,
} from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { withDeadline } from "../../connection/deadline.ts";
import { asCliError, asUsageError } from "../../connection/failure.ts";
import { stateFolder } from "../../files/home.ts";
import type { Outcome } from "../../output/printer.ts";
import { facts, table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { version } from "../../version.ts";
import type { xaaRunFlags } from "./flags.ts";

type XaaCall = Call<typeof xaaRunFlags, NoArguments>;

const defaultTimeoutMs = limits.request.ms.fallback;

export async function run(call: XaaCall): Promise<Outcome> {
  const { flags, global, print } = call;
  refuseConflicts(call);
  const probes = probesOf(flags.negativeProbe);
  const keyFolder = call.world.env.XAA_IDP_KEY_DIR ?? stateFolder(call.world);
  const registration = await registrationOf(call);
  const issuerKey = await openIssuerKey(keyFolder).catch(rethrow);
  warnOf(call, registration);
  const options: Omit<XaaOptions, "signal"> = {
    url: flags.url,
    issuerBaseUrl: flags.issuerBaseUrl,
    subject: flags.sub,
    email: flags.email,
    scope: flags.scopes,
    assertionFormat: flags.assertionFormat ?? "oidc",
    registration,
    authzServerIssuer: flags.authzServerIssuer,
    tokenEndpoint: flags.tokenEndpoint,
    httpsOnly: flags.httpsOnly,
    probes,
    issuerKey,
    clientInfo: { name: "fettle", version },
  };
  const done = print.progress("Trying cross-app access …");
  try {
    const result = await withDeadline(global.timeout ?? defaultTimeoutMs, ({ signal }) =>
      runXaa({ ...options, signal }),
    ).catch((error: unknown) => {
      throw asCliError(error);
    });
    return {
      value: result,
      human: ({ width }) => describe(result, width),
      exitCode: result.completed && !hasAcceptedFault(result) ? exitCodes.ok : exitCodes.failed,
    };
  } finally {
    done();
  }
}

const onlyPreregistered = ["clientId", "clientSecret", "tokenEndpointAuthMethod", "tokenEndpoint"] as const;
const onlyCimd = ["clientMetadataUrl", "clientAuth", "cimdMetadataOrigin"] as const;

function refuseConflicts({ flags }: XaaCall): void {
  const how = flags.registration ?? "preregistered";
  for (const name of how === "preregistered" ? [] : onlyPreregistered) {
    if (flags[name] !== undefined)
      throw usageError(`${spelled(name)} does not go with --registration ${how}.`);
  }
  for (const name of how === "cimd" ? [] : onlyCimd) {
    if (flags[name] !== undefined) throw usageError(`${spelled(name)} is only for --registration cimd.`);
  }
  if (how === "preregistered" && flags.clientId === undefined) {
    throw usageError("A client that the server knows is named by --client-id.", {
      hint: "Without one, let it register: --registration dcr, or --registration cimd.",
    });
  }
  const method = flags.tokenEndpointAuthMethod;
  if (method !== undefined && method !== "none" && flags.clientSecret === undefined) {
    throw usageError(`${method} needs --client-secret.`);
  }
  for (const name of [
    "url",
    "issuerBaseUrl",
    "clientMetadataUrl",
    "cimdMetadataOrigin",
    "tokenEndpoint",
    "authzServerIssuer",
  ] as const) {
    const given = flags[name];
    if (given !== undefined) checkAddress(name, given, flags.httpsOnly);
  }
}

function checkAddress(name: string, given: string, httpsOnly: boolean): void {
  let url: URL;
  try {
    url = checkUrl(given);
  } catch (error) {
    throw asUsageError(error);
  }
  if (httpsOnly && url.protocol !== "https:")
    throw usageError(`${spelled(name)} is not https, and --https-only was given.`);
  if (name === "cimdMetadataOrigin" && url.href !== `${url.origin}/`) {
    throw usageError("--cimd-metadata-origin is an origin: no path, no query.");
  }
}

function spelled(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function registrationOf({ flags, world }: XaaCall): Promise<XaaOptions["registration"]> {
  if (flags.registration === "dcr") return { strategy: "dcr" };
  if (flags.registration === "cimd") {
    if (flags.clientAuth !== "private-key-jwt") {
      if (flags.clientMetadataUrl === undefined) {
        throw usageError("A public client is named by --client-metadata-url.", {
          hint: "Or let this machine's key be the client: --client-auth private-key-jwt.",
        });
      }
      return { strategy: "cimd", clientId: flags.clientMetadataUrl };
    }
    const key = await openClientKey(stateFolder(world), world.env.XAA_CLIENT_PRIVATE_KEY).catch(rethrow);
    // The service that publishes the issuer also serves the reflector.
    const origin = flags.cimdMetadataOrigin ?? new URL(flags.issuerBaseUrl).origin;
    return {
      strategy: "cimd",
      clientId: flags.clientMetadataUrl ?? reflectorUrl(origin, key.publicJwk),
      key,
    };
  }
  return {
    strategy: "preregistered",
    clientId: flags.clientId ?? "",
    clientSecret: flags.clientSecret,
    method: flags.tokenEndpointAuthMethod,
  };
}

function rethrow(error: unknown): never {
  throw asUsageError(error);
}

function warnOf({ print }: XaaCall, registration: XaaOptions["registration"]): void {
  if (registration.strategy === "dcr")
    print.note("The registration stays behind at the authorization server.");
  if (registration.strategy !== "cimd") return;
  if (!registration.key)
    print.warn("A public client: anyone may use its id. --client-auth private-key-jwt is the better way.");
  else if (registration.clientId.startsWith("http:")) {
    print.note("The client metadata is served over http on this machine, which is for development only.");
  }
}

function probesOf(given: readonly string[] = []): SpoilMode[] {
  const all = keysOf(spoiledGrants);
  const unknown = given.find((mode) => mode !== "all" && !Object.hasOwn(spoiledGrants, mode));
  if (unknown !== undefined) {
    throw usageError(`--negative-probe knows no fault ${JSON.stringify(unknown)}.`, {
      hint: `One of all, ${all.join(", ")}.`,
    });
  }
  return given.includes("all") ? all : all.filter((mode) => given.includes(mode));
}

/** What may be the server's policy is reported, and no fault. */
function hasAcceptedFault({ negativeProbes = [] }: XaaResult): boolean {
  return negativeProbes.some(({ outcome, policyDependent }) => outcome === "accepted" && !policyDependent);
}

function describe(result: XaaResult, width: number): Text {
  const { registration, authorizationServerCapabilities: capabilities, negativeProbes } = result;
  return lines([
    ...result.steps.map(stepLine),
    "",
    facts([
      [
        "Result",
        result.completed
          ? style.green("✓ the server answered with the token")
          : style.red("✗ did not get through"),
      ],
      ["Reason", result.error],
      ["Try", result.hint],
      ["Issuer", result.issuer],
      ["Client", registration.clientId],
      ["Authenticates by", capabilities?.selectedTokenEndpointAuthMethod],
    ]),
    ...registration.warnings.map(
      ({ code, message }) => text`${style.yellow("!")} ${message} ${style.dim(`(${code})`)}`,
    ),
    ...(negativeProbes ? ["", probeTable(negativeProbes, width)] : []),
  ]);
}

function stepLine({ step, ok, detail }: XaaStep): Text {
  return text`${ok ? style.green("✓") : style.red("✗")} ${style.bold(step)}  ${detail}`;
}

function probeTable(probes: NonNullable<XaaResult["negativeProbes"]>, width: number): Text {
  const columns = [{ header: "SPOILED GRANT" }, { header: "OUTCOME" }, { header: "MEANING", shrinks: true }];
  return table(
    columns,
    probes.map(({ mode, outcome, risk, policyDependent, error }) => [
      mode,
      outcome === "rejected"
        ? style.green("refused")
        : policyDependent
          ? style.yellow(outcome)
          : style.red(outcome),
      risk ?? error ?? "",
    ]),
    width,
  );
}
