/** @module A published scenario and people who come to it, as their browsers would. */
import type { ServerId } from "@fettle/contract/core";
import { readServerSentEvents } from "@fettle/contract/formats";
import { newId } from "../core/id.ts";
import { createEnvironment } from "../environments/saved/environments.ts";
import { createClient } from "../servers/clients/clients.ts";
import { type TestBrowser, testBrowser } from "./browser.ts";
import type { Answer, TestService } from "./service.ts";
import type { PersonName, World } from "./world.ts";

/** An environment on a saved server, with the rule model unless said. */
export async function visitedEnvironment(
  { app }: TestService,
  { projectId, people }: World,
  serverId: ServerId,
  modelId = "fettle/rules-1",
): Promise<string> {
  const { userId } = people.owner;
  const config = { modelId, serverIds: [serverId] };
  const client = await createClient(app, app.db, projectId, userId, { name: newId("client"), config });
  const wanted = { name: newId("environment"), hostId: client.id };
  return (await createEnvironment(app, app.db, projectId, userId, wanted)).id;
}

export interface Told {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was told
  data: any;
}

/** A stream that is being heard. */
export interface Heard extends AsyncIterable<Told> {
  status: number;
  /** Of an answer that is no stream. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  body: any;
  close(): Promise<void>;
}

export async function hear(
  service: TestService,
  browser: TestBrowser,
  path: string,
  body?: object,
): Promise<Heard> {
  const abort = new AbortController();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(`${service.url}${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-fettle-app": "1", cookie, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: abort.signal,
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  return {
    status: response.status,
    body: isStream ? undefined : await response.json(),
    close: async () => abort.abort(),
    async *[Symbol.asyncIterator]() {
      const waiting: Told[] = [];
      const reader = readServerSentEvents(({ event, data = "null" }) => {
        waiting.push({ event, data: JSON.parse(data) });
      });
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        reader.push(text);
        yield* waiting.splice(0);
      }
    },
  };
}

/** Somebody who comes by a link: without an account, or signed in as one of the world's people. */
export interface Visitor {
  browser: TestBrowser;
  scenarioId: string;
  redeem(link: string): Promise<Answer>;
  /** Redeems, agrees and begins. */
  begin(link: string): Promise<string>;
  call(path: string, method?: string, body?: object): Promise<Answer>;
  send(sessionId: string, message: string, key?: string): Promise<Heard>;
  /** Everything that is told of one message. */
  say(sessionId: string, message: string): Promise<Told[]>;
  follow(): Promise<Heard>;
}

const tokenOf = (link: string) => new URL(link).pathname.slice("/t/".length);

export function visitor(service: TestService, world: World, person?: PersonName): Visitor {
  const browser = testBrowser(service);
  if (person) {
    const [name = "", value = ""] = world.people[person].cookie.split("=");
    browser.cookies.set(name, value);
  }
  const visits = (path = "") => `/app/visits/${self.scenarioId}${path}`;
  const self: Visitor = {
    browser,
    scenarioId: "",
    redeem: async (link) => {
      const answer = await browser.call("/app/visits", {
        method: "POST",
        body: { linkToken: tokenOf(link) },
      });
      if (answer.status === 200) self.scenarioId = answer.body.scenarioId;
      return answer;
    },
    begin: async (link) => {
      await self.redeem(link);
      await self.call("/consent", "POST", { agrees: true });
      return (await self.call("/sessions", "POST")).body.sessionId;
    },
    call: (path, method = "GET", body) => browser.call(visits(path), { method, ...(body && { body }) }),
    send: (sessionId, message, idempotencyKey = newId("request")) =>
      hear(service, browser, visits(`/sessions/${sessionId}/messages`), { message, idempotencyKey }),
    say: async (sessionId, message) => {
      const told: Told[] = [];
      for await (const one of await self.send(sessionId, message)) told.push(one);
      return told;
    },
    follow: () => hear(service, browser, visits("/events")),
  };
  return self;
}
