/** @module What the process was given, parsed once at the edge into one typed value. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { keysOf } from "@fettle/contract/core";
import type { Secret } from "@fettle/contract/secrets";
import { type ModelConfiguration, modelsSectionOf, readModelConfiguration } from "@fettle/evals";
import { parse } from "yaml";
import { StartError } from "../start-error.ts";
import { engineSockets } from "./engine-sockets.ts";
import { isLoopbackHost, type LogLevel, type MailAddress, type SignInMethod } from "./option-values.ts";
import { type Option, type OptionName, options, type Values } from "./options.ts";
import type { ContainerLimits } from "./sandbox-options.ts";

const MiB = 1024 * 1024;

/** What the process was given: command-line values by option name, and the environment. */
export interface Given {
  flags?: Partial<Record<OptionName, string>>;
  env?: Record<string, string | undefined>;
}

export interface Config {
  host: string;
  port: number;
  widgetPort: number;
  /** The origin widgets are shown from, where a proxy stands in front of it. */
  widgetUrl: string | undefined;
  publicUrl: URL | undefined;
  internalUrl: string | undefined;
  dataFolder: string;
  /** Where this machine's cross-app access issuer keeps its key. */
  xaaKeyFolder: string;
  database: { kind: "embedded" } | { kind: "external"; url: Secret };
  databaseConnections: number;
  secretKey: Secret | undefined;
  previousSecretKeys: Secret[];
  mode: "local" | "hosted";
  networkExceptions: string[];
  /** The operator's, for every organization. */
  models: ModelConfiguration;
  signIn: { methods: SignInMethod[]; isConfigured: boolean; oidc?: OidcConfig };
  limits: { keyPerMinute: number; keyBurst: number };
  evals: { concurrentRuns: number; modelTurnsPerLaunch: number };
  swarms: { runsPerDay: number | null };
  /** The sample workspace has a scenario that was visited. */
  sampleVisitors: boolean;
  insights: { when: Values["insights"]; model: string | undefined; perDay: number | null };
  /** Where directories of servers come from, beside the bundled one. */
  registry: { file: string | undefined; url: URL | undefined };
  /** Looks at servers for directory readiness, where somebody asks for it. */
  readinessModel: string | undefined;
  /** Undefined: pull requests run nothing. */
  codeHost: CodeHostConfig | undefined;
  /** Undefined: no letter is sent, and links are handed over by people. */
  mail: MailConfig | undefined;
  sandbox: SandboxConfig;
  metricsToken: Secret | undefined;
  jobs: { concurrency: number };
  /** How long the audit log keeps its entries. */
  auditDays: number;
  log: { level: LogLevel; format: "json" | "human" };
}

declare module "../app.ts" {
  interface App {
    config: Config;
  }
}

/** An app at a code host, which tells of pull requests and is told of runs. */
export interface CodeHostConfig {
  apiUrl: string;
  appId: string;
  privateKey: Secret;
  webhookSecret: Secret;
}

function readCodeHost(values: Values, problems: string[]): CodeHostConfig | undefined {
  const { checksAppId: appId, checksPrivateKey: privateKey, checksWebhookSecret: webhookSecret } = values;
  if (!appId && !privateKey && !webhookSecret) return undefined;
  if (appId && privateKey && webhookSecret)
    return { apiUrl: values.checksApiUrl, appId, privateKey, webhookSecret };
  problems.push(
    "FETTLE_CHECKS_APP_ID, FETTLE_CHECKS_PRIVATE_KEY and FETTLE_CHECKS_WEBHOOK_SECRET must be set together.",
  );
  return undefined;
}

/** The operator's mail server, which is trusted as the operator is. */
export interface MailConfig {
  /** With the user and password in it. */
  server: Secret;
  tls: "required" | "optional";
  from: MailAddress;
  /** Links in letters lead here. Never taken from a request: its sender could name any host, and the letter goes to somebody else. */
  origin: string;
}

function readMail(values: Values, problems: string[]): MailConfig | undefined {
  const { smtpUrl: server, smtpTls, mailFrom: from, publicUrl } = values;
  if (!server) return undefined;
  if (!from || !publicUrl) {
    problems.push("FETTLE_SMTP_URL needs FETTLE_MAIL_FROM and FETTLE_PUBLIC_URL beside it.");
    return undefined;
  }
  const isHere = isLoopbackHost(new URL(server.reveal()).hostname);
  return { server, tls: smtpTls ?? (isHere ? "optional" : "required"), from, origin: publicUrl.origin };
}

/** Where containers are run, of what, and what each may use. */
export interface SandboxConfig {
  /** Where an engine may listen, in this order. */
  sockets: string[];
  layout: string | undefined;
  registry: string | undefined;
  limits: ContainerLimits;
  buildMs: number;
  idleMs: number;
}

function readSandbox(values: Values, env: Record<string, string | undefined>): SandboxConfig {
  const { sandboxEngine, sandboxLayout: layout, sandboxRegistry: registry } = values;
  return {
    sockets: engineSockets(sandboxEngine, env),
    layout,
    registry,
    limits: {
      memoryBytes: values.sandboxMemory * MiB,
      processors: values.sandboxProcessors,
      processes: values.sandboxProcesses,
      diskBytes: values.sandboxDisk * MiB,
      network: values.sandboxNetwork === "on",
    },
    buildMs: values.sandboxBuildSeconds * 1_000,
    idleMs: values.sandboxIdleMinutes * 60_000,
  };
}

/** An OpenID provider people may sign in at. */
export interface OidcConfig {
  issuer: URL;
  clientId: string;
  clientSecret: Secret | undefined;
  name: string;
  /** Whose people join without an invitation, and as what. */
  domains: string[];
  role: Values["oidcRole"];
}

function readSignIn(values: Values, problems: string[]): Config["signIn"] {
  const { oidcIssuer: issuer, oidcClientId: clientId, signIn } = values;
  const methods: SignInMethod[] = signIn ?? (issuer ? ["password", "oidc"] : ["password"]);
  const isConfigured = signIn !== undefined;
  if (!methods.includes("oidc")) return { methods, isConfigured };
  if (!issuer || !clientId) {
    problems.push("FETTLE_OIDC_ISSUER and FETTLE_OIDC_CLIENT_ID must both be set to sign in by oidc.");
    return { methods, isConfigured };
  }
  const { oidcClientSecret: clientSecret, oidcName: name, oidcDomains: domains, oidcRole: role } = values;
  return { methods, isConfigured, oidc: { issuer, clientId, clientSecret, name, domains, role } };
}

/** A model's address and key are the operator's to say, so the environment counts as much as the file. */
function readModels(path: string | undefined, env: Given["env"], problems: string[]): ModelConfiguration {
  const read = (section: unknown, environment: Given["env"]) =>
    readModelConfiguration(section, environment ?? {}, { holdsDailyLimit: true });
  try {
    if (path === undefined) return read(undefined, env);
    return read(modelsSectionOf(parse(readFileSync(path, "utf8"), { maxAliasCount: 0 })), env);
  } catch (error) {
    // Only the first line: what follows of a fault in YAML quotes the file, and keys stand in it.
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    problems.push(path === undefined ? problem : `${path} cannot be used: ${problem}`);
    return read(undefined, {});
  }
}

function readValues({ flags = {}, env = {} }: Given): { values: Values; problems: string[] } {
  const problems: string[] = [];
  const read = (name: OptionName): unknown => {
    const declaration: Option<unknown> = options[name];
    const fromFlag = flags[name];
    const fromEnv = declaration.env === undefined ? undefined : env[declaration.env];
    // A variable left blank in a compose file or unit means "not set".
    const text = fromFlag ?? (fromEnv?.trim() === "" ? undefined : fromEnv);
    if (text === undefined) return declaration.default;
    try {
      return declaration.parse(text);
    } catch (error) {
      const source =
        fromFlag === undefined ? declaration.env : (declaration.flag?.split(" ")[0] ?? `--${name}`);
      problems.push(`${source} must ${error instanceof Error ? error.message : String(error)}.`);
      return declaration.default;
    }
  };
  const entries = keysOf(options).map((name) => [name, read(name)]);
  // Each entry was made by the option of the same name, which is what Values says.
  return { values: Object.fromEntries(entries) as Values, problems };
}

/**
 * Parses everything at once and names every fault at once.
 *
 * @example
 * const config = readConfig({ flags: { port: "0" }, env: process.env });
 */
export function readConfig(given: Given): Config {
  const { values, problems } = readValues(given);
  const isLoopback = isLoopbackHost(values.host);
  if (values.mode === "local" && !isLoopback) {
    problems.push("FETTLE_MODE must be hosted when --host is not a loopback address.");
  }
  const signIn = readSignIn(values, problems);
  const codeHost = readCodeHost(values, problems);
  const mail = readMail(values, problems);
  const models = readModels(values.config, given.env, problems);
  if (problems.length > 0) {
    throw new StartError(
      "CONFIG_INVALID",
      problems.join("\n"),
      "See `fettle serve --help` for every option and its environment variable.",
    );
  }
  const home = values.home ?? join(homedir(), ".fettle");
  return {
    host: values.host,
    port: values.port,
    widgetPort: values.widgetPort ?? (values.port === 0 ? 0 : values.port + 1),
    widgetUrl: values.widgetUrl?.origin,
    publicUrl: values.publicUrl,
    internalUrl: values.internalUrl?.origin,
    dataFolder: values.data ?? join(home, "data"),
    xaaKeyFolder: values.xaaKeys ?? home,
    database: values.databaseUrl ? { kind: "external", url: values.databaseUrl } : { kind: "embedded" },
    databaseConnections: values.databaseConnections,
    secretKey: values.secretKey,
    previousSecretKeys: values.previousSecretKeys,
    mode: values.mode ?? (isLoopback ? "local" : "hosted"),
    networkExceptions: values.networkExceptions,
    models,
    signIn,
    limits: { keyPerMinute: values.limitKeyPerMinute, keyBurst: values.limitKeyBurst },
    evals: { concurrentRuns: values.limitEvalRuns, modelTurnsPerLaunch: values.limitEvalModelTurns },
    swarms: { runsPerDay: values.limitJourneyRunsPerDay },
    sampleVisitors: values.sampleVisitors === "on",
    insights: {
      when: values.insights,
      model: values.insightsModel,
      perDay: values.limitInsightsPerDay,
    },
    registry: { file: values.registryFile, url: values.registryUrl },
    readinessModel: values.readinessModel,
    codeHost,
    mail,
    sandbox: readSandbox(values, given.env ?? {}),
    metricsToken: values.metricsToken,
    jobs: { concurrency: values.jobConcurrency },
    auditDays: values.auditDays,
    log: {
      level: values.logLevel,
      format: values.logFormat ?? (process.stderr.isTTY ? "human" : "json"),
    },
  };
}

/**
 * Why this configuration may not listen, or nothing. Listening beyond loopback by accident has been how tools like
 * this one were taken over, so it takes two deliberate settings.
 */
export function bindRefusal(config: Pick<Config, "host" | "signIn" | "secretKey">): StartError | undefined {
  if (isLoopbackHost(config.host)) return undefined;
  const missing = [
    config.signIn.isConfigured ? undefined : "FETTLE_SIGN_IN (for example `password`)",
    config.secretKey ? undefined : "FETTLE_SECRET_KEY (`openssl rand -hex 32` makes one)",
  ].filter((name) => name !== undefined);
  if (missing.length === 0) return undefined;
  return new StartError(
    "BIND_REFUSED",
    `Refusing to listen on ${config.host}: others could reach it, and it is not set up for that.`,
    `Set ${missing.join(" and ")}, or leave --host at 127.0.0.1.`,
  );
}
