/** @module `fettle cloud status`: what the next hosted command would use. Asks nobody. */
import { relative } from "node:path";
import { exitCodes } from "@fettle/contract/core";
import { resolveCredential } from "../../cloud/credential.ts";
import { resolveDeployment } from "../../cloud/deployment.ts";
import { findLink } from "../../cloud/link-file.ts";
import { selectProject } from "../../cloud/project-selection.ts";
import { type StatusReport, statusReport } from "../../cloud/status-report.ts";
import { readStoredLogin, unreadableLogin } from "../../cloud/stored-login.ts";
import { authFile } from "../../files/home.ts";
import type { Outcome } from "../../output/printer.ts";
import { facts } from "../../output/table.ts";
import { lines, style, type Text, text, type Writable } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { statusFlags } from "./flags.ts";

export async function run(call: Call<typeof statusFlags, NoArguments>): Promise<Outcome> {
  const { env, cwd, now } = call.world;
  const login = await readStoredLogin(authFile(call.world));
  const link = await findLink(cwd);
  const credential = resolveCredential({
    flag: call.credentials.apiKey,
    env: env.FETTLE_API_KEY,
    login,
    now: now(),
  });
  const report = statusReport({
    credential,
    deployment: resolveDeployment({ flag: call.credentials.apiUrl, env: env.FETTLE_API_URL, credential }),
    project: selectProject({ flag: call.flags.project, env: env.FETTLE_PROJECT, link }),
    link,
    login,
    unreadable: await unreadableLogin(authFile(call.world)),
  });
  return {
    value: report,
    human: () => describe(report, cwd),
    ...((report.credential.kind === "none" ||
      (report.credential.kind === "oauth" && !report.credential.valid)) && {
      hint: style.cyan("fettle cloud login"),
    }),
    exitCode: report.ok ? exitCodes.ok : exitCodes.failed,
  };
}

function describe(
  { credential, deployment, project, link, warnings, error }: StatusReport,
  cwd: string,
): Text {
  const path = link.path === null ? undefined : relative(cwd, link.path);
  return lines([
    facts([
      ["Credential", stated(credential.valid, credentialText(credential))],
      [
        "Deployment",
        stated(
          deployment.valid,
          text`${deployment.apiUrl} ${style.dim(`(${deploymentFrom[deployment.source]})`)}`,
        ),
      ],
      ["Project", stated(project.error === undefined, projectText(project, link.project))],
      ["Link", path === undefined ? undefined : stated(link.valid, path)],
    ]),
    ...(error ? ["", text`${style.red("✗")} ${error}`] : []),
    ...(warnings.length > 0 ? [""] : []),
    ...warnings.map((warning) => text`${style.yellow("!")} ${warning}`),
  ]);
}

const deploymentFrom = {
  flag: "--api-url",
  env: "FETTLE_API_URL",
  oauth: "stored with the login",
  default: "default",
} as const;

function stated(valid: boolean | null, value: Writable): Text {
  const mark = valid === null ? style.dim("·") : valid ? style.green("✓") : style.red("✗");
  return text`${mark} ${value}`;
}

function credentialText({ kind, source, redactedKey, email }: StatusReport["credential"]): Text {
  if (kind === "none") return text`none`;
  if (kind === "oauth") return text`login${email ? text` of ${style.bold(email)}` : ""}`;
  const from = source === "flag" ? "--api-key" : "FETTLE_API_KEY";
  return text`API key ${style.bold(redactedKey ?? "")} ${style.dim(`(${from})`)}`;
}

function projectText(
  { selector, source, description }: StatusReport["project"],
  linked?: { name: string },
): Text {
  if (selector === null) return text`${description}`;
  if (source === "link" && linked)
    return text`${style.bold(linked.name)} ${style.dim(`(${selector}, linked)`)}`;
  return text`${style.bold(selector)} ${style.dim(`(${description})`)}`;
}
