/** @module Everything an operator may set, in one table: its flag, its variable, its default, and what it must be. */
import { resolve } from "node:path";
import { auditLimits, limits, Secret } from "@fettle/contract";
import {
  apiUrl,
  databaseUrl,
  domainNames,
  integer,
  issuerUrl,
  type LogLevel,
  type MailAddress,
  mailAddress,
  mailServerUrl,
  oneOf,
  privateKey,
  registryUrl,
  type SignInMethod,
  secretKey,
  signInMethods,
  webUrl,
} from "./option-values.ts";

/** One thing that may be set. `help` is required, so an option without a text does not compile. */
export interface Option<Value> {
  help: string;
  /** As the command line shows it: `--port <number>`. Its camel-case name is the option's key in `options`. */
  flag?: `--${string}`;
  env?: string;
  /** Shown in help and documents when the default is worked out from something else. */
  defaultText?: string;
  default: Value;
  /** Throws an Error whose message completes "<name> must …". */
  parse(text: string): Value;
}

function option<Value>(declaration: Option<Value>): Option<Value> {
  return declaration;
}

export const options = {
  host: option({
    flag: "--host <address>",
    env: "FETTLE_HOST",
    help: "Address to listen on. Anything but loopback needs FETTLE_SIGN_IN and FETTLE_SECRET_KEY.",
    default: "127.0.0.1",
    parse: (text) => text,
  }),
  port: option({
    flag: "--port <number>",
    env: "FETTLE_PORT",
    help: "Port to listen on; 0 picks a free one.",
    default: 7400,
    parse: integer(0, 65_535),
  }),
  widgetPort: option<number | undefined>({
    flag: "--widget-port <number>",
    env: "FETTLE_WIDGET_PORT",
    help: "Port of the separate origin that widgets are shown from.",
    defaultText: "the port after --port",
    default: undefined,
    parse: integer(0, 65_535),
  }),
  widgetUrl: option<URL | undefined>({
    env: "FETTLE_WIDGET_URL",
    help: "Address of the separate origin that widgets are shown from, when a proxy stands in front of it. It needs a host name of its own.",
    defaultText: "localhost with --widget-port; no widgets where FETTLE_PUBLIC_URL is set and this is not",
    default: undefined,
    parse: webUrl,
  }),
  publicUrl: option<URL | undefined>({
    flag: "--public-url <url>",
    env: "FETTLE_PUBLIC_URL",
    help: "Address people reach the service by, when a proxy stands in front of it. Used in links and for cookies.",
    defaultText: "the address listened on",
    default: undefined,
    parse: webUrl,
  }),
  internalUrl: option<URL | undefined>({
    env: "FETTLE_INTERNAL_URL",
    help: "Address at which other processes on the same database reach this one, to pass tunnel requests on. Needed on several machines.",
    defaultText: "the address listened on",
    default: undefined,
    parse: webUrl,
  }),
  home: option<string | undefined>({
    env: "FETTLE_HOME",
    help: "Folder of everything Fettle keeps for this user.",
    defaultText: "~/.fettle",
    default: undefined,
    parse: (text) => resolve(text),
  }),
  data: option<string | undefined>({
    flag: "--data <folder>",
    env: "FETTLE_DATA",
    help: "Folder of the service's data: its database, secret key and logs.",
    defaultText: "data in FETTLE_HOME",
    default: undefined,
    parse: (text) => resolve(text),
  }),
  xaaKeys: option<string | undefined>({
    env: "XAA_IDP_KEY_DIR",
    help: "Folder of the key that `fettle xaa run` signs with; its public half is published here.",
    defaultText: "FETTLE_HOME",
    default: undefined,
    parse: (text) => resolve(text),
  }),
  databaseUrl: option<Secret | undefined>({
    env: "DATABASE_URL",
    help: "Your own PostgreSQL 15 or newer, reached directly, not through a transaction pooler.",
    defaultText: "an own PostgreSQL in the data folder",
    default: undefined,
    parse: databaseUrl,
  }),
  databaseConnections: option({
    env: "FETTLE_DATABASE_CONNECTIONS",
    help: "How many database connections one process may hold for queries; one more carries notifications, and three more the bookkeeping of background jobs where they run.",
    default: 10,
    parse: integer(2, 500),
  }),
  config: option<string | undefined>({
    flag: "--config <file>",
    env: "FETTLE_CONFIG",
    help: "YAML file whose `models` section sets up the models that every organization may use, beside the providers' own variables.",
    defaultText: "none",
    default: undefined,
    parse: (text) => resolve(text),
  }),
  secretKey: option<Secret | undefined>({
    env: "FETTLE_SECRET_KEY",
    help: "Key that stored secrets are encrypted with: 32 characters or more, the same for every process.",
    defaultText: "a key file made in the data folder at the first start",
    default: undefined,
    parse: secretKey,
  }),
  previousSecretKeys: option<Secret[]>({
    env: "FETTLE_PREVIOUS_SECRET_KEYS",
    help: "Keys used before, separated by commas. They still open old secrets; new ones are sealed with FETTLE_SECRET_KEY.",
    defaultText: "none",
    default: [],
    parse: (text) => text.split(",").map((key) => secretKey(key.trim())),
  }),
  mode: option<"local" | "hosted" | undefined>({
    env: "FETTLE_MODE",
    help: "`hosted` keeps connections to MCP servers and organizations' models away from private and loopback addresses; `local` allows them.",
    defaultText: "local on a loopback address, otherwise hosted",
    default: undefined,
    parse: oneOf("local", "hosted"),
  }),
  networkExceptions: option<string[]>({
    env: "FETTLE_NETWORK_EXCEPTIONS",
    help: "Addresses, networks (10.1.0.0/16) or host names that connections to MCP servers and models may reach all the same, separated by commas.",
    defaultText: "none",
    default: [],
    parse: (text) => text.split(",").map((word) => word.trim()),
  }),
  signIn: option<SignInMethod[] | undefined>({
    env: "FETTLE_SIGN_IN",
    help: "How people sign in: password, oidc, or both separated by a comma. Must be said to listen beyond loopback.",
    defaultText: "password, and oidc when FETTLE_OIDC_ISSUER is set",
    default: undefined,
    parse: signInMethods,
  }),
  oidcIssuer: option<URL | undefined>({
    env: "FETTLE_OIDC_ISSUER",
    help: "Address of an OpenID provider that people may sign in at. Give it /app/sign-in/oidc/oidc/callback to return to.",
    defaultText: "none",
    default: undefined,
    parse: issuerUrl,
  }),
  oidcClientId: option<string | undefined>({
    env: "FETTLE_OIDC_CLIENT_ID",
    help: "What the OpenID provider calls this service.",
    defaultText: "none",
    default: undefined,
    parse: (text) => text,
  }),
  oidcClientSecret: option<Secret | undefined>({
    env: "FETTLE_OIDC_CLIENT_SECRET",
    help: "What proves this service to the OpenID provider; a public client has none.",
    defaultText: "none",
    default: undefined,
    parse: (text) => new Secret(text),
  }),
  oidcName: option({
    env: "FETTLE_OIDC_NAME",
    help: "What the sign-in button calls the OpenID provider.",
    default: "single sign-on",
    parse: (text) => text,
  }),
  oidcDomains: option<string[]>({
    env: "FETTLE_OIDC_DOMAINS",
    help: "E-mail domains whose people may join the first organization without an invitation, separated by commas.",
    defaultText: "none: everyone needs an invitation",
    default: [],
    parse: domainNames,
  }),
  oidcRole: option<"guest" | "member" | "admin">({
    env: "FETTLE_OIDC_ROLE",
    help: "Role of people who join by their domain: guest, member or admin.",
    default: "member",
    parse: oneOf("guest", "member", "admin"),
  }),
  limitKeyPerMinute: option({
    env: "FETTLE_LIMIT_KEY_PER_MINUTE",
    help: "Requests a minute that one API key may make over time.",
    default: limits.rate.key.perMinute as number,
    parse: integer(1, 1_000_000),
  }),
  limitKeyBurst: option({
    env: "FETTLE_LIMIT_KEY_BURST",
    help: "Requests that one API key may make at once.",
    default: limits.rate.key.burst as number,
    parse: integer(1, 1_000_000),
  }),
  limitEvalRuns: option({
    env: "FETTLE_LIMIT_EVAL_RUNS",
    help: "Eval runs, or groups of them, that one organization may have under way.",
    default: limits.evals.concurrentRunsPerOrganization as number,
    parse: integer(1, 1_000),
  }),
  limitEvalModelTurns: option({
    env: "FETTLE_LIMIT_EVAL_MODEL_TURNS",
    help: "Messages to paid models that one launch of eval runs may come to.",
    default: limits.evals.modelTurnsPerLaunch as number,
    parse: integer(1, 1_000_000),
  }),
  limitJourneyRunsPerDay: option<number | null>({
    env: "FETTLE_LIMIT_JOURNEY_RUNS_PER_DAY",
    help: "Runs of journeys that one organization may launch a day (UTC).",
    defaultText: "no limit",
    default: null,
    parse: integer(0, 1_000_000),
  }),
  insights: option<"automatic" | "asked" | "off">({
    env: "FETTLE_INSIGHTS",
    help: "`automatic` looks for problems as soon as a run has ended, which costs nothing; `asked` waits until somebody asks; `off` never looks.",
    default: "automatic",
    parse: oneOf("automatic", "asked", "off"),
  }),
  insightsModel: option<string | undefined>({
    env: "FETTLE_INSIGHTS_MODEL",
    help: "Model that writes causes, recommendations and the summary of insights that somebody asks for, such as anthropic/claude-haiku-4.5.",
    defaultText: "none: fixed texts",
    default: undefined,
    parse: (text) => text.trim(),
  }),
  limitInsightsPerDay: option<number | null>({
    env: "FETTLE_LIMIT_INSIGHTS_PER_DAY",
    help: "Insights that a model may write for one organization in a day of UTC. What is found without a model is not counted.",
    defaultText: "no limit",
    default: null,
    parse: integer(0, 1_000_000),
  }),
  readinessModel: option<string | undefined>({
    env: "FETTLE_READINESS_MODEL",
    help: "Model that looks at servers for directory readiness where somebody asks for it, such as anthropic/claude-haiku-4.5. It never decides a grade.",
    defaultText: "none",
    default: undefined,
    parse: (text) => text.trim(),
  }),
  sampleVisitors: option<"on" | "off">({
    env: "FETTLE_SAMPLE_VISITORS",
    help: "`off` opens the sample workspace of --sample without its published scenario, its swarm and their made-up visitors.",
    default: "on",
    parse: oneOf("on", "off"),
  }),
  registryFile: option<string | undefined>({
    env: "FETTLE_REGISTRY_FILE",
    help: "JSON file of servers, in the form of the official MCP registry, that everybody may search and install.",
    defaultText: "none",
    default: undefined,
    parse: (text) => resolve(text),
  }),
  registryUrl: option<URL | undefined>({
    env: "FETTLE_REGISTRY_URL",
    help: "List of servers of an MCP registry to mirror every hour, such as https://registry.modelcontextprotocol.io/v0.1/servers.",
    defaultText: "none: nothing is fetched",
    default: undefined,
    parse: registryUrl,
  }),
  checksAppId: option<string | undefined>({
    env: "FETTLE_CHECKS_APP_ID",
    help: "Id of the code host's app that runs suites on pull requests. Without it and its two secrets, checks are off.",
    defaultText: "none",
    default: undefined,
    parse: (text) => text,
  }),
  checksPrivateKey: option<Secret | undefined>({
    env: "FETTLE_CHECKS_PRIVATE_KEY",
    help: "The app's private key, as PEM; line breaks may be written \\n.",
    defaultText: "none",
    default: undefined,
    parse: privateKey,
  }),
  checksWebhookSecret: option<Secret | undefined>({
    env: "FETTLE_CHECKS_WEBHOOK_SECRET",
    help: "What the code host signs its events with.",
    defaultText: "none",
    default: undefined,
    parse: (text) => new Secret(text),
  }),
  checksApiUrl: option({
    env: "FETTLE_CHECKS_API_URL",
    help: "Where the code host's API is.",
    default: "https://api.github.com",
    parse: apiUrl,
  }),
  smtpUrl: option<Secret | undefined>({
    env: "FETTLE_SMTP_URL",
    help: "Mail server that letters are sent through: smtp://user:password@host:587, or smtps:// for TLS from the first byte. Needs FETTLE_MAIL_FROM and FETTLE_PUBLIC_URL.",
    defaultText: "none: links are handed over by people",
    default: undefined,
    parse: mailServerUrl,
  }),
  smtpTls: option<"required" | "optional" | undefined>({
    env: "FETTLE_SMTP_TLS",
    help: "`required` sends nothing before the mail server has proven itself by TLS; `optional` also sends without.",
    defaultText: "required, but optional to a mail server on this machine",
    default: undefined,
    parse: oneOf("required", "optional"),
  }),
  mailFrom: option<MailAddress | undefined>({
    env: "FETTLE_MAIL_FROM",
    help: "Whom letters are from, such as Fettle <fettle@example.com>.",
    defaultText: "none",
    default: undefined,
    parse: mailAddress,
  }),
  metricsToken: option<Secret | undefined>({
    env: "FETTLE_METRICS_TOKEN",
    help: "Bearer that may read /metrics from another machine. Without it, only this machine may.",
    defaultText: "none",
    default: undefined,
    parse: (text) => new Secret(text),
  }),
  auditDays: option({
    env: "FETTLE_AUDIT_DAYS",
    help: "How many days the audit log keeps its entries; older ones are removed.",
    default: auditLimits.days.fallback as number,
    parse: integer(auditLimits.days.min, auditLimits.days.max),
  }),
  jobConcurrency: option({
    env: "FETTLE_JOB_CONCURRENCY",
    help: "How many background jobs one process runs at the same time.",
    default: 8,
    parse: integer(1, 256),
  }),
  logLevel: option<LogLevel>({
    flag: "--log-level <level>",
    env: "FETTLE_LOG_LEVEL",
    help: "How much to log: debug, info, warn or error.",
    default: "info",
    parse: oneOf("debug", "info", "warn", "error"),
  }),
  logFormat: option<"json" | "human" | undefined>({
    flag: "--log-format <format>",
    env: "FETTLE_LOG_FORMAT",
    help: "`json` prints one object a line, `human` is for reading.",
    defaultText: "human on a terminal, otherwise json",
    default: undefined,
    parse: oneOf("json", "human"),
  }),
};

type Options = typeof options;
export type OptionName = keyof Options;
export type Values = { [Name in OptionName]: Options[Name]["default"] };
