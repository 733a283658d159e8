/** @module What people write with openapi-fetch, whose types openapi-typescript makes of our document. */
import createClient from "openapi-fetch";
import type { components, paths } from "./dist/openapi-typescript.ts";

const { FETTLE_API_URL: baseUrl = "", FETTLE_API_KEY: key = "" } = process.env;
const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** What was answered, or the refusal with its code. */
function answered<Data>({ data, error }: { data?: Data; error?: { code: string; message: string } }): Data {
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.message}` : "No answer");
  return data;
}

const first = <Item>([item]: Item[]): Item => {
  if (item === undefined) throw new Error("The list is empty");
  return item;
};

const project = first(answered(await api.GET("/projects")).items);
const inProject = { projectId: project.id };
const server = first(
  answered(await api.GET("/projects/{projectId}/servers", { params: { path: inProject } })).items,
);

const called = answered(
  await api.POST("/projects/{projectId}/servers/{serverId}/tools/call", {
    params: { path: { ...inProject, serverId: server.id } },
    body: { toolName: "search_books", parameters: { query: "tin" } },
  }),
);

const suite = answered(
  await api.POST("/projects/{projectId}/eval-suites", {
    params: { path: inProject },
    body: {
      name: "Made by openapi-fetch",
      serverIds: [server.id],
      model: "fettle/rules-1",
      tests: [
        { title: "Searches", steps: [{ id: "ask", kind: "prompt", prompt: 'Search books for "tin"' }] },
      ],
    },
  }),
);

const journey = first(
  answered(await api.GET("/projects/{projectId}/journeys", { params: { path: inProject } })).items,
);
const launched = answered(
  await api.POST("/projects/{projectId}/journeys/{journeyId}/runs", {
    params: { path: { ...inProject, journeyId: journey.id } },
    body: {},
  }),
);

const ofRun = { params: { path: { ...inProject, runId: launched.id } } };
const stream = answered(
  await api.GET("/projects/{projectId}/journey-runs/{runId}/events", { ...ofRun, parseAs: "stream" }),
);
const events: string[] = [];
let end: components["schemas"]["JourneyRunCompleteEvent"] | undefined;
let rest = "";
const decoder = new TextDecoder();
for await (const bytes of stream ?? []) {
  const frames = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
  rest = frames.pop() ?? "";
  for (const frame of frames) {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/m.exec(frame) ?? [];
    if (name === undefined || data === undefined) continue;
    events.push(name);
    if (name === "run_complete") end = JSON.parse(data);
  }
}
const run = answered(await api.GET("/projects/{projectId}/journey-runs/{runId}", ofRun));

console.log(
  JSON.stringify({
    isError: called.isError === true,
    cases: suite.caseUpsert.committed.length,
    events: [...new Set(events)],
    ended: end?.status,
    run: run.status,
  }),
);
