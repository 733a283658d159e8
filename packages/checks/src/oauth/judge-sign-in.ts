/**
 * @module A sign-in as a person watches it: the stages of its flow, each with what was sent and answered, and with the rules of
 * this suite that can be judged by it alone. Pure: nothing is asked that the flow has not asked.
 */
import {
  type AuthMode,
  type Flow,
  type FlowRun,
  type FlowStage,
  type FlowStepId,
  flowStages,
  type HttpEntry,
  isObject,
  type JsonObject,
  parseBearerChallenge,
} from "@fettle/mcp";
import { type CheckResult, NothingToObserve } from "../verdict/check-result.ts";
import { type Rule, ruleIn } from "../verdict/rule.ts";
import { type Observers, runChecks } from "../verdict/run-checks.ts";
import { judgeStep } from "./judge-flow.ts";
import { type OauthFacts, type OauthSeen, rfc, type SeenDocument, sinceResources } from "./oauth-check.ts";
import type { OauthStep } from "./oauth-report.ts";
import { kindOf, seenAnswer } from "./observe-server.ts";
import { oauthChecks } from "./registry.ts";

export interface SignInVerdict extends Pick<CheckResult, "id" | "title" | "status" | "skipReason" | "rule"> {
  /** Why it failed, or why it was not judged. */
  message?: string;
  warnings?: CheckResult["warnings"];
}

export interface SignInStage {
  id: FlowStage;
  title: string;
  about: string;
  /** `waiting`: not begun; `begun`: it goes on when somebody is back. */
  status: "waiting" | "begun" | "passed" | "failed" | "could-not-run";
  steps: OauthStep[];
  verdicts: SignInVerdict[];
}

/** What a step itself rests on, where no check says it. */
const stepRules: Partial<Record<FlowStepId, readonly Rule[]>> = {
  received_resource_metadata: [rfc("MUST", 9728, "3.3", sinceResources)],
  received_authorization_server_metadata: [rfc("MUST", 8414, "2")],
  request_client_registration: [rfc("MUST", 7591, "3.2.1")],
  received_authorization_code: [rfc("MUST", 6749, "4.1.2")],
  authenticated_mcp_request: [rfc("MUST", 6750, "2.1")],
};

/** Checks that a flow alone gives the evidence for, by the step whose record they are read from. */
const stageChecks: Record<FlowStage, { after: FlowStepId; ids: readonly string[] }> = {
  challenge: { after: "request_without_token", ids: ["oauth_unauthenticated_challenge"] },
  resource: { after: "request_resource_metadata", ids: ["oauth_resource_metadata_challenge"] },
  issuer: {
    after: "request_authorization_server_metadata",
    ids: ["oauth_metadata_issuer", "oauth_metadata_json"],
  },
  registration: { after: "received_client_credentials", ids: [] },
  consent: { after: "received_authorization_code", ids: ["oauth_iss_when_advertised"] },
  token: { after: "token_request", ids: ["oauth_token_format"] },
  call: { after: "authenticated_mcp_request", ids: ["oauth_insufficient_scope_challenge"] },
};

const judgingMs = 5_000;

/**
 * @example
 * const stages = await judgeSignIn(await runFlow({ ...options, oneStage: true }), { serverUrl, authMode: "interactive" });
 */
export async function judgeSignIn(
  { run, gains }: Pick<Flow, "run" | "gains">,
  target: { serverUrl: string; authMode: AuthMode },
): Promise<SignInStage[]> {
  const taken = new Set(run.steps.map(({ step }) => step));
  const due = Object.values(stageChecks).flatMap(({ after, ids }) => (taken.has(after) ? ids : []));
  const results = await runChecks(
    oauthChecks.filter(({ id }) => due.includes(id)),
    seenIn(run),
    factsOf(run, gains, target),
    { timeoutMs: judgingMs },
  );
  const steps = run.steps.map(judgeStep);
  return flowStages.map(({ id, title, about, steps: own }) => {
    const mine = steps.filter(({ step }) => own.some((each) => each === step));
    const checked = results.filter((result) => stageChecks[id].ids.includes(result.id));
    return {
      id,
      title,
      about,
      status: statusOf(mine, run),
      steps: mine,
      verdicts: [...mine.flatMap((step) => stepVerdict(step, run)), ...checked.map(checkVerdict)],
    };
  });
}

function statusOf(steps: readonly OauthStep[], { completed, currentStep, failure }: FlowRun) {
  if (steps.length === 0) return "waiting";
  if (steps.some(({ status }) => status === "failed")) return "failed";
  if (steps.some(({ skipReason }) => skipReason === "could-not-run")) return "could-not-run";
  const isLast = steps.at(-1)?.step === currentStep && !completed && !failure;
  // The one stage that is left in its middle: the question is made, and the answer is not there.
  return isLast && currentStep === "generate_pkce_parameters" ? "begun" : "passed";
}

function stepVerdict(step: OauthStep, { protocolVersion }: FlowRun): SignInVerdict[] {
  // Ids of steps and of checks share a field; a step's own rules are under its name.
  const rules = stepRules[step.step as FlowStepId];
  const rule = rules && ruleIn(rules, protocolVersion);
  if (!rule) return [];
  const { binds: _all, ...shown } = rule;
  const { title, status, skipReason, error } = step;
  return [
    {
      id: step.step,
      title,
      status,
      ...(skipReason && { skipReason }),
      rule: shown,
      ...(error && { message: error.message }),
    },
  ];
}

function checkVerdict({ id, title, status, skipReason, rule, error, warnings }: CheckResult): SignInVerdict {
  return {
    id,
    title,
    status,
    ...(skipReason && { skipReason }),
    ...(rule && { rule }),
    ...(error && { message: error.message }),
    ...(warnings && { warnings }),
  };
}

function factsOf(
  run: FlowRun,
  { consent, client }: Flow["gains"],
  { serverUrl, authMode }: { serverUrl: string; authMode: AuthMode },
): OauthFacts {
  const asked = run.steps.find(({ step }) => step === "request_authorization_server_metadata");
  const chosen = [...run.steps]
    .flatMap(({ decisions }) => decisions)
    .find(({ about }) => about === "Which authorization server");
  return {
    serverUrl,
    authMode,
    version: run.protocolVersion,
    registration: run.registration ?? "dcr",
    // A flow that ended over them has read them all the same.
    server: run.plan.authorizationServerMetadata ?? bodyOf(asked?.exchanges.findLast(isFound)) ?? {},
    issuer: run.plan.issuer ?? String(chosen?.picked ?? ""),
    flow: run,
    iss: consent?.iss,
    isPublic: client?.clientSecret === undefined && client?.key === undefined,
    mayRefresh: false,
  };
}

/** The record of the flow as the observations that checks judge; what it has not seen is nothing to judge. */
function seenIn(run: FlowRun): Observers<OauthSeen> {
  const of = (id: FlowStepId) => run.steps.find(({ step }) => step === id)?.exchanges ?? [];
  const seen: Partial<Observers<OauthSeen>> = {
    postWithoutToken: async () => answerOf(of("request_without_token")),
    wellKnownResource: async () => of("request_resource_metadata").filter(isFound).map(documentOf).at(-1),
    documents: async () =>
      [...of("request_resource_metadata"), ...of("request_authorization_server_metadata")]
        .filter(isFound)
        .map(documentOf),
    tokenShape: async () =>
      Object.fromEntries(
        Object.entries(bodyOf(of("token_request").at(-1)) ?? {}).map(([name, value]) => [
          name,
          kindOf(value),
        ]),
      ),
  };
  // Every other observation takes a request of its own.
  return new Proxy(seen, {
    get: (own, name) =>
      Reflect.get(own, name) ??
      (async () => {
        throw new NothingToObserve("A sign-in does not try this.");
      }),
  }) as Observers<OauthSeen>;
}

function answerOf(exchanges: readonly HttpEntry[]) {
  const last = exchanges.findLast(({ method, status }) => method === "POST" && status !== undefined);
  if (last?.status === undefined) throw new NothingToObserve("The server gave no answer.");
  const headers = last.responseHeaders ?? {};
  const wwwAuthenticate = headers["www-authenticate"];
  const challenge = parseBearerChallenge(wwwAuthenticate);
  return seenAnswer({
    status: last.status,
    headers,
    ...(wwwAuthenticate !== undefined && { wwwAuthenticate }),
    ...(challenge && { challenge }),
  });
}

function documentOf({ url, status = 0, responseHeaders = {}, responseBody = "" }: HttpEntry): SeenDocument {
  return {
    url,
    status,
    contentType: (responseHeaders["content-type"] ?? "").replace(/;.*/s, "").trim().toLowerCase(),
    // Asked without an origin: whether web pages may read it is not known, and not held against it.
    allowsOrigin: responseHeaders["access-control-allow-origin"] ?? "not asked",
    body: parsed(responseBody),
  };
}

const isFound = ({ status }: HttpEntry) => status === 200;

function bodyOf(exchange: HttpEntry | undefined): JsonObject | undefined {
  const body = parsed(exchange?.responseBody ?? "");
  return isObject(body) ? body : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
