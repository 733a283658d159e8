/** @module One thing of every kind in the sample project, so that every page has something to show. */
import type { Browser, BrowserContext } from "playwright-core";
import { openPage } from "../browser.ts";
import type { Deployment } from "../deployment.ts";

export interface Places {
  /** Of the owner, who is signed in. */
  cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
  /** What fills the parameters of page paths. */
  places: Record<string, string>;
}

export async function makePlaces(browser: Browser, deployment: Deployment): Promise<Places> {
  const { page, context } = await openPage(browser);
  await page.goto(deployment.signInUrl);
  await page.waitForURL(/\/(p|o)\//);
  const cookies = await context.cookies();
  const pid = deployment.projectId!;
  const headers = { "x-fettle-app": "1" };
  const saved = await context.request.get(`${deployment.url}/api/v1/projects/${pid}/servers`, { headers });
  const sid = (await saved.json()).items[0].id;
  const make = async (path: string, data: object) => {
    const made = await context.request.post(deployment.url + path, { headers, data });
    return made.json();
  };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const text = "---\nname: greet\ndescription: Greets\n---\n\n# Greet\n\n```\nhello\n```\n";
  const group = await make(`/api/v1/projects/${pid}/server-groups`, { name: "All", serverIds: [sid] });
  const skill = await make(`/app/projects/${pid}/skills`, { files: { "SKILL.md": base64(text) } });
  const version = await make(`/app/projects/${pid}/plugins`, {
    files: { "plugin.json": base64('{"name":"shop"}'), "skills/greet/SKILL.md": base64(text) },
  });
  const image = await make(`/api/v1/projects/${pid}/images`, {
    name: "Desk",
    blueprint: `base: debian@sha256:${"0".repeat(64)}\n`,
  });
  const config = { modelId: "fettle/rules-1", serverIds: [sid] };
  const client = await make(`/api/v1/projects/${pid}/clients`, { name: "Reader", config });
  const environment = await make(`/api/v1/projects/${pid}/environments`, {
    name: "Nightly",
    hostId: client.id,
  });
  const run = await make(`/api/v1/projects/${pid}/conformance-ingest/runs/start`, {
    target: { kind: "server", serverId: sid },
    source: "cli",
    requestedSuites: ["protocol"],
  });
  const graded = await make(`/api/v1/projects/${pid}/servers/${sid}/readiness-runs/claude`, {});
  const { suiteId: suid } = await make(`/api/v1/projects/${pid}/eval-suites`, {
    name: "Desk",
    serverIds: [sid],
    model: "fettle/rules-1",
    tests: [{ title: "Asks", steps: [{ id: "ask", kind: "prompt", prompt: "Search books for tin" }] }],
  });
  await context.request.patch(`${deployment.url}/api/v1/projects/${pid}/eval-suites/${suid}`, {
    headers,
    data: { environmentIds: [environment.id] },
  });
  const { runId: erid } = await make(`/api/v1/projects/${pid}/eval-runs`, { suiteId: suid });
  const { sessionId: chat } = await make("/api/v1/chat-sessions/messages", {
    projectId: pid,
    idempotencyKey: "walk",
    message: "Search for books about planets",
    modelId: "fettle/rules-1",
    serverIds: [sid],
  });
  const published = await context.request.put(
    `${deployment.url}/api/v1/projects/${pid}/environments/${environment.id}/scenario`,
    { headers, data: { mode: "anyone_with_link" } },
  );
  const scenario = await published.json();
  const link = new URL(scenario.link).pathname.slice("/t/".length);
  await make("/app/visits", { linkToken: link });
  const visit = `/app/visits/${scenario.id}`;
  await make(`${visit}/consent`, { agrees: true });
  const { sessionId: vsid } = await make(`${visit}/sessions`, {});
  const said = { idempotencyKey: "walk", message: "Search for books about planets" };
  await context.request.post(`${deployment.url}${visit}/sessions/${vsid}/messages`, { headers, data: said });
  const project = `/api/v1/projects/${pid}`;
  const budget = { sessionsPerTarget: 2, maxTurns: 2 };
  const persona = await make(`${project}/personas`, { name: "Ida", role: "Browses" });
  const swarm = await make(`${project}/swarms`, { name: "Readers", ...budget });
  const journey = await make(`${project}/journeys`, {
    goal: "Search books about harbour",
    personaId: persona.id,
    swarmId: swarm.id,
    environmentIds: [environment.id],
    rubric: [{ id: "calm", predicate: { type: "noToolErrors" } }],
    ...budget,
  });
  await make(`${project}/journeys/${journey.id}/runs`, {});
  const { id: jrid } = await make(`${project}/journeys/${journey.id}/runs`, { waveId: "walk" });
  const found = await context.request.get(`${deployment.url}/app/projects/${pid}/findings`, { headers });
  const [finding] = (await found.json()).items;
  const server = `/api/v1/projects/${pid}/servers/${sid}`;
  await make(`${server}/tools/call`, { toolName: "search_books", parameters: { query: "tin" } });
  const past = await context.request.get(`${deployment.url}${server}/history`, { headers });
  const places = {
    org: deployment.organizationId!,
    pid,
    sid,
    hid: (await past.json()).items[0].id,
    gid: group.id,
    kid: skill.id,
    plid: version.pluginId,
    iid: image.id,
    cid: client.id,
    eid: environment.id,
    rid: run.runId,
    rdid: graded.runId,
    suid,
    erid,
    egid: (
      await make(`/api/v1/projects/${pid}/eval-run-groups`, {
        suiteId: suid,
        targets: [{ environmentId: environment.id }],
      })
    ).runGroupId,
    chat,
    scid: scenario.id,
    link,
    vsid,
    peid: persona.id,
    swid: swarm.id,
    jid: journey.id,
    jrid,
    wid: "walk",
    fam: finding?.family.id ?? suid,
    fid: finding?.id ?? "rf_0000000000000000",
  };
  await context.close();
  return { cookies, places };
}
