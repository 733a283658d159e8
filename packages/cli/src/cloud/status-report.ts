/** @module What `cloud status` says: credential, deployment, project and link in effect, told without asking anyone. Pure. */

import type { Credential } from "./credential.ts";
import type { Deployment } from "./deployment.ts";
import type { FoundLink } from "./link-file.ts";
import type { ProjectSelection } from "./project-selection.ts";
import { redactKey } from "./redact-key.ts";
import type { StoredLogin } from "./stored-login.ts";

export interface StatusReport {
  ok: boolean;
  error?: string;
  credential: {
    source: Credential["source"];
    kind: Credential["kind"];
    /** null: there is no credential, which is a fact and not a fault. */
    valid: boolean | null;
    error?: string;
    redactedKey?: string;
    email?: string;
    expiresAt?: string;
    envShadowsOauth: boolean;
    storedOauthPresent: boolean;
  };
  deployment: { apiUrl: string; source: Deployment["source"]; valid: boolean; error?: string };
  project: {
    selector: string | null;
    source: ProjectSelection["source"];
    description: string;
    error?: string;
  };
  link: {
    path: string | null;
    valid: boolean | null;
    error?: string;
    project?: { id: string; name: string };
    apiUrl?: string;
    apiUrlMatchesDeployment?: boolean;
  };
  warnings: string[];
}

export interface StatusFacts {
  credential: Credential;
  deployment: Deployment;
  project: ProjectSelection;
  link: FoundLink | undefined;
  login: StoredLogin | undefined;
  /** Why the file of the login holds none. */
  unreadable?: string | undefined;
}

export function statusReport(known: StatusFacts): StatusReport {
  const { credential, deployment, project, link, login, unreadable } = known;
  const envShadowsOauth = credential.source === "env" && login !== undefined;
  const report: Omit<StatusReport, "ok" | "error"> = {
    credential: {
      source: credential.source,
      kind: credential.kind,
      valid: credential.kind === "none" ? null : credential.error === undefined,
      ...aboutCredential(credential),
      envShadowsOauth,
      storedOauthPresent: login !== undefined,
    },
    deployment: {
      apiUrl: deployment.apiUrl,
      source: deployment.source,
      valid: deployment.error === undefined,
      ...(deployment.error && { error: deployment.error }),
    },
    project: {
      selector: "selector" in project ? project.selector : null,
      source: project.source,
      description: project.description,
      ...("error" in project && { error: project.error.message }),
    },
    link: aboutLink(link, deployment),
    warnings: [...(unreadable ? [unreadable] : []), ...warningsOf(envShadowsOauth, link, deployment)],
  };
  const faults = [report.credential.error, report.deployment.error, report.project.error, report.link.error];
  const error = faults.find((fault) => fault !== undefined);
  return { ok: error === undefined, ...(error && { error }), ...report };
}

function aboutCredential(credential: Credential): Partial<StatusReport["credential"]> {
  if (credential.kind === "none") return {};
  const error = credential.error && { error: credential.error };
  if (credential.kind === "api-key") return { ...error, redactedKey: redactKey(credential.key) };
  const { email, expiresAt } = credential.login;
  return {
    ...error,
    ...(email && { email }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

function aboutLink(found: FoundLink | undefined, deployment: Deployment): StatusReport["link"] {
  if (!found) return { path: null, valid: null };
  if ("error" in found) {
    return { path: found.path, valid: false, error: `The project link ${found.path} ${found.error}.` };
  }
  const { project, apiUrl } = found.link;
  return {
    path: found.path,
    valid: true,
    project,
    apiUrl,
    apiUrlMatchesDeployment: apiUrl === deployment.apiUrl,
  };
}

function warningsOf(envShadowsOauth: boolean, link: FoundLink | undefined, deployment: Deployment): string[] {
  const differs = link && "link" in link && link.link.apiUrl !== deployment.apiUrl;
  return [
    ...(envShadowsOauth ? ["FETTLE_API_KEY is used instead of the stored login."] : []),
    ...(differs ? [`The project link belongs to another deployment: ${link.link.apiUrl}.`] : []),
  ];
}
