/** @module The numbers that most callers are held to; those of one family stand in its own `limits.ts`. No schemas here: the CLI and the pages quote these without a validator. */

import { agentLimits } from "./agent.ts";
import { attendedLimits } from "./attended.ts";
import { day, hour, KiB, MiB, minute, second } from "./units.ts";
import { userTestingLimits } from "./user-testing.ts";

const emailLength = 320;

/*
 * What pages quote stands by itself, so that they load it without the rest.
 */

/** Of texts that many things have. Lengths are in characters, here and below. */
export const textLimits = {
  nameLength: 200,
  descriptionLength: 2_000,
  addressLength: 2_000,
  iconLength: 64,
} as const;

export const accountLimits = {
  /** Of a person, an organization, a key. */
  nameLength: 120,
  emailLength,
  passwordLength: { min: 10, max: 200 },
  /** The secret of a link. */
  tokenLength: 200,
  keyLifetimeDays: 3_650,
  /** How long each of them holds, unless it is used or taken back before. */
  signInLinkMs: 10 * minute,
  passwordLinkMs: hour,
  signInElsewhereMs: 10 * minute,
  invitationMs: 7 * day,
  browserSessionMs: 30 * day,
  rememberedDeviceMs: 180 * day,
  guestTokenMs: day,
  cliRequestMs: 10 * minute,
  cliCodeMs: minute,
  cliAccessMs: hour,
  /** Counted anew at each refresh. */
  cliSessionMs: 90 * day,
  cliState: { min: 8, max: 512 },
  cliParameterLength: 500,
  deviceNameLength: 80,
} as const;

/** Of one request, to a server or to the service: the longest time that may be asked for, and the usual one. */
export const requestLimits = {
  ms: { max: 10 * minute, fallback: 30 * second },
  /** Of one id in a path; nothing has a longer one. */
  maxPathIdLength: 512,
  /** An answer up to this long is not worth compressing. */
  plainAnswerBytes: KiB,
} as const;

/** Uploaded skills and plugins: nothing in them is run, and all of it is bounded. */
export const bundleLimits = { files: 500, fileBytes: MiB, totalBytes: 3 * MiB, pathLength: 200 } as const;

/** Live streams open at once. All tabs of a browser share one; a person may have several browsers. */
export const streamLimits = {
  perSession: 8,
  perAccount: 32,
  perProcess: 2_000,
  topics: 50,
  topicsLength: 4_000,
  retryAfterSeconds: 30,
} as const;

/** Of what an organization sets up at providers of models, and of what is told of spending. */
export const modelLimits = {
  keyLength: 8_192,
  nameLength: 200,
  perProvider: 100,
  customProviders: 20,
  /** Of a price or a daily limit. */
  usd: 1_000_000,
  spendDays: { max: 366, fallback: 30 },
  /** Rows of one table of spending. */
  spendRows: 50,
  /** Calls that are over: written down in one statement, and held in memory before others wait. */
  settlementsAtOnce: 500,
  settlementsHeld: 5_000,
  /** Of the one small call that tries a provider. */
  test: { outputTokens: 64, ms: 30 * second },
  /** What a model call takes where nothing is known of earlier ones. */
  usualTokens: { input: 5_000, output: 1_000 },
} as const;

/** Of one case of an eval suite. */
export const caseLimits = { titleLength: 200, steps: 200 } as const;

/** Of conversations with a model. */
export const chatLimits = {
  /** That work; those that wait for a person are counted by themselves. */
  concurrentTurnsPerOrganization: 4,
  waitingTurns: 20,
  /** A turn that nobody watches. */
  turnMs: 90 * second,
  /** A turn in front of a person, who may be asked before a call. */
  attendedTurnMs: 10 * minute,
  /** So long a process that died holds back what its turn held; one that lives prolongs it. */
  leaseMs: 30 * second,
  /** How soon to ask again about a turn under way. */
  retryAfterMs: 2 * second,
  keyLength: 200,
  temperature: 2,
  titleLength: 200,
  previewLength: 200,
  queryLength: 200,
  listed: { max: 200, fallback: 50 },
  tracedTurns: { max: 20, fallback: 1 },
  /** Of one kept message, and of one call's result in an answer. */
  shownBytes: 64 * KiB,
  /** Of an answer under way, for whoever opens the conversation before it ends. */
  toldLetters: 32_000,
  messageLength: 8_000,
  messageBytes: 8 * KiB,
  systemPromptLength: 8_000,
  servers: 20,
  allowedTools: 100,
  steps: { max: 16, fallback: 8 },
  toolCalls: 16,
  transcriptBytes: 8 * MiB,
} as const;

/** Of runs of conformance, and of what is reported of them. */
export const conformanceLimits = {
  reportedChecks: 50,
  score: 100,
  /** Of what a run is called by: an edition, a branch, an id from elsewhere. */
  labelLength: 200,
  ci: { nameLength: 100, valueLength: 2_000 },
  /** Tools, and prompts, that a run made here may execute. */
  fixtures: 20,
  /** Of a report's texts: an id or a category, a title, an address, and what is explained. */
  wordLength: 300,
  titleLength: 1_000,
  nameLength: 2_000,
  addressLength: 4_000,
  textLength: 20_000,
  /** A reported run that says nothing for so long has been given up. */
  silenceMs: 10 * minute,
  /** The same once one of its reports was refused. */
  refusedSilenceMs: minute,
  /** Of one suite's report. */
  cases: 2_000,
  groups: 50,
  /** Of one check. */
  warnings: 50,
  depth: 64,
  hostedRunMs: 10 * minute,
  /** Of one check, and of one step of a sign-in, unless said otherwise. */
  checkMs: 15 * second,
  /** A browser is started for it, and every widget shown. */
  bootMs: 2 * minute,
  stepMs: 30 * second,
} as const;

/** A bucket per API key: bursts of `burst`, then one call per refill. */
export const keyRateLimits = { burst: 10, perMinute: 60 } as const;

export const limits = {
  /** Longest wait anybody may ask for. A timer holds 31 bits of milliseconds, and one that overflows fires at once. */
  waitMs: day,
  text: textLimits,
  accounts: accountLimits,
  /** How long a command waits for a person in a browser. */
  consent: { personMs: 5 * minute },
  request: requestLimits,
  rate: {
    key: keyRateLimits,
    /** Login sessions, in fixed windows of a minute. */
    session: { perMinute: 120, perMinutePerAddress: 600 },
    /** Browser sessions: one page makes about ten requests, and a person opens several tabs. */
    browser: { perMinute: 600, perMinutePerAddress: 3000 },
    guest: { perMinute: 60 },
    /** Reading a connection request while it is followed has its own budget. */
    connectionPolling: { perMinute: 240, perMinutePerAddress: 1200 },
    /** Longest wait a `Retry-After` may name: a daily budget that has just run out. */
    maxRetryAfterSeconds: 86_400,
  },
  idempotency: {
    maxKeyLength: 256,
    /** Where the key travels in the body: readiness, conformance, agent and chat turns. */
    maxBodyKeyLength: 200,
    rememberMs: day,
    /** How long work may take that has claimed its key; after that whoever did it has died. */
    claimMs: 15 * minute,
  },
  page: {
    /** Letters of a cursor. */
    cursorLength: 2_000,
    eval: { max: 200, fallback: 50 },
    runs: { max: 100, fallback: 25 },
    conformance: { max: 100, fallback: 20 },
    readiness: { max: 100, fallback: 20 },
    /** Of lists that are answered whole without a limit. */
    whole: { max: 200 },
  },
  evals: {
    concurrentRunsPerOrganization: 2,
    /** Repetitions of one run that are played at the same time. */
    concurrentIterationsPerRun: 4,
    /** Of one run, to one MCP server. */
    concurrentCallsPerServer: 8,
    runGroupTargets: 10,
    approvalReasonLength: 500,
    repetitionsPerCase: 10,
    casesPerBatch: 100,
    testsPerSuiteCreate: 100,
    casesPerSuite: 500,
    environmentsPerSuite: 10,
    hostsPerSuite: 10,
    tagsPerSuite: 20,
    modelsPerCase: 10,
    /** Of one case as JSON. */
    caseBytes: 256 * KiB,
    /** Of each kind that generating may be asked for. */
    generatedPerKind: 10,
    /** Unless said: so many of each kind. */
    generatedMix: { simple: 5, multiTool: 2, multiTurn: 1, complex: 0, negative: 2 },
    generatedNegative: 5,
    /** Messages to models that one launch may ask for, over all targets. */
    modelTurnsPerLaunch: 300,
    /** A launch without a key that asks for the same within this time is the same launch, if nothing was edited and it has not ended. */
    sameLaunchMs: 30 * second,
    iterationMs: 10 * minute,
    runMs: 30 * minute,
    /** What a percentage goes up to. */
    percent: 100,
    judge: {
      threshold: 0.7,
      /** Repetitions of one run that a model grades. */
      iterations: 300,
      /** Those that are graded at the same time. */
      atOnce: 4,
      callMs: minute,
      runMs: 10 * minute,
      /** Of what was recorded of one repetition; more is not graded, and never cut. */
      evidenceBytes: 256 * KiB,
      outputTokens: 1_000,
      reasonLength: 2_000,
      listed: 25,
      itemLength: 300,
      /** Without anything expected, a model cannot know that all is well. */
      mostWithoutRubric: 0.85,
    },
    /** Of a final answer, in a comparison. */
    previewChars: 2_000,
    /** Finished runs that a suite's trend shows. */
    trendRuns: 20,
    scheduleIntervalMinutes: { min: 5, max: 10_080 },
    caseTitleLength: caseLimits.titleLength,
    assertionsPerCase: 50,
    stepsPerCase: caseLimits.steps,
    toolCallArgumentsLength: 100_000,
    renderTimeoutMs: 120_000,
    interactTextLength: 5_000,
    errorNeedleLength: 1_000,
    interactWaitMs: 30_000,
    scorerIdLength: 256,
    /** Of one predicate. */
    secretPatterns: 20,
    toolNames: 500,
  },
  suiteFile: {
    maxBytes: MiB,
    maxCases: 500,
    /** More are not told at once. */
    maxFindings: 200,
    /** How often anchors may be repeated: a short file could name petabytes otherwise. */
    maxAliases: 100,
    /** How deep lists and mappings may stand in each other. */
    maxDepth: 100,
    nameLength: 200,
    /** What a file may say; a hosted run refuses above `evals.repetitionsPerCase`. */
    repetitions: 100,
    sourceCaseKeyLength: 512,
    importNoteLength: 2_000,
  },
  gate: { waiverMs: 30 * day, waiverReasonLength: 500 },
  /** Of every JSON body; the depth is in levels. */
  ingest: {
    /** Tokens of one kind in one result: the sum of two still fits its column. */
    tokens: 1_000_000_000,
    maxBodyBytes: 5 * MiB,
    maxBodyDepth: 512,
    resultsPerReport: 200,
    callsPerResult: 500,
    resultsPerRun: 20_000,
    /** A run that nobody goes on reporting is over. */
    openMs: 24 * 60 * minute,
    artifacts: {
      bytes: 5 * MiB,
      perProject: 1_000,
      projectBytes: 500 * MiB,
      /** How long an address takes a file. */
      ticketMs: 10 * minute,
      keptDays: 14,
    },
  },
  insights: {
    /** Of one envelope; the rest is counted. */
    findings: 20,
    /** Of one finding: examples, and one beside them that went well. */
    evidence: { examples: 3, contrasts: 1 },
    excerptLength: 300,
    definition: { descriptionLength: 1_000, schemaLength: 4_000 },
    /** Of one scope, newest first. */
    units: 500,
    /** What a model may write. */
    model: { findings: 8, inputLength: 24_000, summary: 600, rootCause: 500, recommendation: 600 },
    narration: { callMs: minute, outputTokens: 4_000 },
    mineMs: 10 * minute,
  },
  chat: chatLimits,
  agent: agentLimits,
  connections: {
    openPerAccount: 5,
    lifetimeMs: hour,
    /** How long a new request is held back until it is known what its server asks for. */
    discoveryWaitMs: 3 * second,
    listed: { max: 100, fallback: 50 },
    /** Of what an authorization server sends back with the browser. */
    stateLength: 200,
    codeLength: 8_192,
    errorLength: 200,
    errorDescriptionLength: 2_000,
  },
  servers: {
    /** Of a command, an argument, a value of the environment, a client id. */
    lineLength: 2_000,
    args: 200,
    envNameLength: 200,
    headerNameLength: 128,
    headerValueLength: 8_192,
    scopes: 100,
    scopeLength: 200,
  },
  serverGroups: { servers: 100 },
  /** Of what is asked of a server in its own words. */
  live: {
    cursorLength: 4_096,
    uriLength: 8_192,
    nameLength: 1_024,
    secretLength: 16_384,
    tokenTypeLength: 64,
    scopeLength: 4_096,
    attended: attendedLimits,
  },
  /** A client's config is kept as text and walked when it is addressed, so both its size and its depth are bounded. */
  clients: {
    configBytes: 256 * KiB,
    configDepth: 64,
    servers: 100,
    modelIdLength: 200,
    systemPromptLength: 100_000,
    temperature: { min: 0, max: 2 },
  },
  models: modelLimits,
  environments: { skillsPerEnvironment: 20, pluginVersionsPerEnvironment: 20, pluginVersionsPerPlugin: 1 },
  conformance: conformanceLimits,
  skills: { nameLength: 64, descriptionLength: 1_024 },
  bundles: bundleLimits,
  plugins: { versionLength: 100, serverNameLength: 100 },
  userTesting: userTestingLimits,
  /** More pages of tools than this count as truncated, so a host verdict of `works` becomes `unknown`. */
  compat: { toolListPages: 50 },
  /** How long a document that only a release changes may be kept without asking. */
  keptSeconds: 300,
  tunnels: {
    nameLength: 128,
    chunkBytes: 64 * KiB,
    pingMs: 25 * second,
    missedPings: 2,
    reconnectMs: { min: second, max: 30 * second },
    requestBytes: 4 * MiB,
    /** Of one body, how much may be under way or unread before the sender waits. */
    windowBytes: 512 * KiB,
    headerBytes: 32 * KiB,
    /** Requests under way at once through one tunnel. */
    inFlight: 64,
    /** How long a machine may stay away before it needs a new grant. */
    connectTokenMs: day,
  },
  streams: streamLimits,
  /** Of one letter on its way to the mail server. */
  mail: { connectMs: 15 * second, silenceMs: 30 * second, sendMs: 2 * minute },
} as const;
