/** @module A service with journeys in it, whose visitors and assistants say what a test says. */
import type { EnvironmentId } from "@fettle/contract/core";
import { expect, vi } from "vitest";
import { newId } from "../../core/id.ts";
import { createEnvironment } from "../../environments/saved/environments.ts";
import { createClient } from "../../servers/clients/clients.ts";
import { type EvalBench, evalBench } from "../eval-bench.ts";
import { type EvalStub, startEvalStub } from "../eval-stub.ts";
import type { TestServiceOptions } from "../service.ts";

export interface Journeys {
  environment(config?: object): Promise<EnvironmentId>;
  journey(over?: object): Promise<string>;
  /** The run, once it has ended. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered
  settled(runId: string, timeout?: number): Promise<any>;
}

export interface JourneyBench extends EvalBench, Journeys, AsyncDisposable {
  stub: EvalStub;
}

/** Whether the model is asked to play the visitor. */
export const isPersona = (body: string) => body.includes("You play a person");
/** It asks once, and leaves. */
export const brief = (body: string): string | undefined =>
  isPersona(body)
    ? JSON.stringify({ message: "How many copies?", endSession: !isFirstWords(body) })
    : undefined;

/** Whether that is for its first words. */
export const isFirstWords = (body: string) => isPersona(body) && body.includes('turn\\":1,');

export async function journeyBench(options: TestServiceOptions = {}): Promise<JourneyBench> {
  const stub = await startEvalStub();
  stub.onModel = (_, body) => brief(body);
  const bench = await evalBench(stub.url, { ...options, env: { ...stub.env, ...options.env } });
  await bench.service.app.work();
  const close = async () => {
    await bench.service.close();
    await stub.close();
  };
  return { ...bench, ...journeysOf(bench), stub, [Symbol.asyncDispose]: close };
}

export function journeysOf(bench: EvalBench): Journeys {
  const { app } = bench.service;
  const { projectId, people } = bench.world;
  return {
    environment: async (config = {}) => {
      const settings = { modelId: "fettle/rules-1", serverIds: [bench.server.id], ...config };
      const { id: hostId } = await createClient(app, app.db, projectId, people.owner.userId, {
        name: newId("client"),
        config: settings,
      });
      const wanted = { name: newId("environment"), hostId };
      return (await createEnvironment(app, app.db, projectId, people.owner.userId, wanted)).id;
    },
    journey: async (over = {}) => {
      const { body: persona } = await bench.call("POST", "/personas", { name: "Ann", role: "Buyer" });
      const { body } = await bench.call("POST", "/journeys", {
        goal: "Find how many copies of book 7 there are",
        personaId: persona.id,
        sessionsPerTarget: 2,
        maxTurns: 3,
        ...over,
      });
      return body.id;
    },
    settled: (runId, timeout = 60_000) =>
      vi.waitFor(
        async () => {
          const { body } = await bench.call("GET", `/journey-runs/${runId}`);
          expect(body.status).not.toBe("running");
          expect(body.counts.running).toBe(0);
          return body;
        },
        { timeout, interval: 50 },
      ),
  };
}
