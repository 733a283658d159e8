/** @module The file of `oauth conformance-suite`: flows of one server, and what they have in common. */
import { authModes, checkUrl, oauthVersions, registrations } from "@fettle/mcp";
import * as z from "zod";
import { usageError } from "../cli-error.ts";
import { parseWith, waitMs } from "../input/parse-with.ts";
import { version } from "../version.ts";
import { readRedirect, readUrl, refuseConflicts } from "./flow-input.ts";
import type { JudgedPlan } from "./judged-flow.ts";

const word = z.string().trim().min(1);

const flowFields = z.strictObject({
  label: word.optional(),
  protocolVersion: z.enum(oauthVersions).optional(),
  registrationStrategy: z.enum(registrations).optional(),
  auth: z
    .strictObject({
      mode: z.enum(authModes).optional(),
      clientId: word.optional(),
      clientSecret: word.optional(),
    })
    .optional(),
  client: z
    .strictObject({
      preregistered: z.strictObject({ clientId: word, clientSecret: word.optional() }).optional(),
      dynamicRegistration: z.record(z.string(), z.unknown()).optional(),
      clientIdMetadataUrl: word.optional(),
    })
    .optional(),
  scopes: z.union([word, z.array(word)]).optional(),
  customHeaders: z.record(z.string(), z.string()).optional(),
  redirectUrl: word.optional(),
  stepTimeout: waitMs.optional(),
  verification: z
    .strictObject({
      listTools: z.boolean().optional(),
      callTool: z
        .strictObject({ name: word, params: z.record(z.string(), z.unknown()).default({}) })
        .optional(),
      timeout: waitMs.optional(),
    })
    .optional(),
  oauthConformanceChecks: z.boolean().optional(),
});

type FlowFields = z.infer<typeof flowFields>;

const suiteFile = z.strictObject({
  name: word.optional(),
  serverUrl: word,
  defaults: flowFields.omit({ label: true }).optional(),
  flows: z.array(flowFields).min(1),
});

export interface OauthSuite {
  name: string;
  serverUrl: string;
  flows: { label?: string; plan: JudgedPlan }[];
}

export function readSuiteFile(document: unknown): OauthSuite {
  const { name, serverUrl, defaults = {}, flows } = parseWith(suiteFile, document, "--config");
  readUrl("--config: serverUrl", serverUrl, checkUrl);
  return {
    name: name ?? serverUrl,
    serverUrl,
    flows: flows.map((flow, index) => {
      const plan = planOf(serverUrl, merged(defaults, flow), `flows.${index}`);
      return flow.label === undefined ? { plan } : { label: flow.label, plan };
    }),
  };
}

/** What a flow says wins, part by part. */
function merged(defaults: FlowFields, flow: FlowFields): FlowFields {
  return {
    ...defaults,
    ...flow,
    ...(defaults.auth && { auth: { ...defaults.auth, ...flow.auth } }),
    ...(defaults.client && { client: { ...defaults.client, ...flow.client } }),
    ...(defaults.customHeaders && { customHeaders: { ...defaults.customHeaders, ...flow.customHeaders } }),
    ...(defaults.verification && { verification: { ...defaults.verification, ...flow.verification } }),
  };
}

function planOf(serverUrl: string, flow: FlowFields, place: string): JudgedPlan {
  const { protocolVersion, registrationStrategy: registration, auth, client, scopes, verification } = flow;
  if (protocolVersion === undefined || registration === undefined) {
    const missing = protocolVersion === undefined ? "protocolVersion" : "registrationStrategy";
    throw usageError(`--config: ${place}.${missing}: needed, here or in defaults.`);
  }
  const authMode = auth?.mode ?? "interactive";
  const clientMetadataUrl = client?.clientIdMetadataUrl;
  const plan: JudgedPlan = {
    serverUrl,
    authMode,
    protocolVersion,
    registration,
    clientInfo: { name: "fettle", version },
    clientId: client?.preregistered?.clientId ?? auth?.clientId,
    clientSecret: client?.preregistered?.clientSecret ?? auth?.clientSecret,
    clientMetadataUrl,
    registrationMetadata: client?.dynamicRegistration,
    scopes: Array.isArray(scopes) ? scopes.join(" ") : scopes,
    headers: flow.customHeaders ?? {},
    stepTimeoutMs: flow.stepTimeout,
    conformanceChecks: flow.oauthConformanceChecks,
    ...(flow.redirectUrl !== undefined && {
      redirectUrl: readRedirect(flow.redirectUrl, authMode, `--config: ${place}.redirectUrl`),
    }),
    ...(verification && {
      verification: {
        ...(verification.listTools !== undefined && { listTools: verification.listTools }),
        ...(verification.callTool && { callTool: verification.callTool }),
        ...(verification.timeout !== undefined && { timeoutMs: verification.timeout }),
      },
    }),
  };
  refuseConflicts(plan, {
    clientId: `${place}.client.preregistered.clientId`,
    clientSecret: `${place}.client.preregistered.clientSecret`,
    clientMetadataUrl: `${place}.client.clientIdMetadataUrl`,
  });
  return plan;
}
