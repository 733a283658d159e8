/** @module What people write with a whole client, as @hey-api/openapi-ts makes one of our document. */
import { createClient, createConfig } from "./dist/hey-api/client/index.ts";
import * as fettle from "./dist/hey-api/index.ts";

const { FETTLE_API_URL: baseUrl = "", FETTLE_API_KEY: auth = "" } = process.env;
const client = createClient(createConfig({ baseUrl, auth, throwOnError: true }));
const throwing = { client, throwOnError: true } as const;

const first = <Item>([item]: Item[]): Item => {
  if (item === undefined) throw new Error("The list is empty");
  return item;
};

const { id: projectId } = first((await fettle.listProjects(throwing)).data.items);
const path = { projectId };
const { id: serverId } = first((await fettle.listProjectServers({ ...throwing, path })).data.items);

const { data: called } = await fettle.callTool({
  ...throwing,
  path: { projectId, serverId },
  body: { toolName: "search_books", parameters: { query: "tin" } },
});

const { data: suite } = await fettle.createEvalSuite({
  ...throwing,
  path,
  body: {
    name: "Made by openapi-ts",
    serverIds: [serverId],
    model: "fettle/rules-1",
    tests: [{ title: "Searches", steps: [{ id: "ask", kind: "prompt", prompt: 'Search books for "tin"' }] }],
  },
});

const { id: journeyId } = first((await fettle.listJourneys({ ...throwing, path })).data.items);
const { data: launched } = await fettle.launchJourneyRun({
  ...throwing,
  path: { projectId, journeyId },
  body: {},
});

const ofRun = { projectId, runId: launched.id };
const events: string[] = [];
let ended: string | undefined;
const { stream } = await fettle.streamJourneyRun({
  client,
  path: ofRun,
  sseMaxRetryAttempts: 1,
  onSseEvent: ({ event }) => events.push(event ?? "message"),
});
for await (const told of stream) if ("status" in told) ended = told.status;
const { data: run } = await fettle.getJourneyRun({ ...throwing, path: ofRun });

console.log(
  JSON.stringify({
    isError: called.isError === true,
    cases: suite.caseUpsert.committed.length,
    events: [...new Set(events)],
    ended,
    run: run.status,
  }),
);
