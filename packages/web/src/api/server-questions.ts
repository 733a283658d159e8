/** @module What servers ask while they work, and the answers people give. A question goes when its call does. */
import type { ServerAnswerRequest } from "@fettle/contract/servers";
import type { JsonObject } from "../lib/json-exact.ts";
import { createStore, type Store } from "../lib/store.ts";
import { call } from "./operation.ts";
import type { ServerAddress } from "./server-calls.ts";

export interface ServerQuestion {
  address: ServerAddress;
  askId: string;
  requestId: string;
  method: string;
  params: JsonObject;
  /** The open calls it may belong to, when there are several and the server does not say which. */
  candidates?: readonly { method: string; name?: string }[];
  at: number;
}

const stores = new Map<string, Store<readonly ServerQuestion[]>>();

/** Those of one server that wait, oldest first. */
export function questionsOf(serverId: string): Store<readonly ServerQuestion[]> {
  const known = stores.get(serverId);
  if (known) return known;
  const store = createStore<readonly ServerQuestion[]>([]);
  stores.set(serverId, store);
  return store;
}

export function addQuestion(question: ServerQuestion): void {
  const store = questionsOf(question.address.serverId);
  store.set([...store.get(), question]);
}

/** Without a request, all of the ask. */
export function dropQuestions(serverId: string, askId: string, requestId?: string): void {
  const store = questionsOf(serverId);
  const kept = store
    .get()
    .filter((each) => each.askId !== askId || (requestId !== undefined && each.requestId !== requestId));
  if (kept.length !== store.get().length) store.set(kept);
}

export function answerQuestion(
  { address, askId, requestId }: ServerQuestion,
  answer: ServerAnswerRequest["answer"],
): Promise<unknown> {
  return call("answerServer", { ...address, askId, body: { requestId, answer } });
}
