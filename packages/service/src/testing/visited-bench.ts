/** @module A service with a project whose server and model do as a test says, and scenarios published from it. */
import { signedInBrowser } from "./browser.ts";
import { type EvalBench, evalBench } from "./eval-bench.ts";
import { type EvalStub, startEvalStub } from "./eval-stub.ts";
import type { TestServiceOptions } from "./service.ts";
import { type Visitor, visitedEnvironment, visitor } from "./visiting.ts";
import type { PersonName } from "./world.ts";

export interface PublishedScenario {
  id: string;
  environmentId: string;
  link: string;
  accessVersion: number;
  /** Below the project. */
  at: string;
}

export interface VisitedBench extends AsyncDisposable {
  bench: EvalBench;
  stub: EvalStub;
  /** Of the stub, priced: a call costs what the test sets. */
  model: string;
  call(method: string, path: string, body?: object, person?: PersonName): ReturnType<EvalBench["call"]>;
  environment(model?: string): Promise<string>;
  publish(over?: object, model?: string): Promise<PublishedScenario>;
  visitor(person?: PersonName): Visitor;
  /** All visitors of a test come from one address. */
  forgetPace(): Promise<void>;
}

/** Dollars for a million tokens, either way. The stub says 100 in and 20 out. */
const price = { inputPerMTok: 10, outputPerMTok: 10 };

export async function visitedBench(options: TestServiceOptions = {}): Promise<VisitedBench> {
  const stub = await startEvalStub();
  Object.assign(stub.tools[0]!, { annotations: { readOnlyHint: true } });
  const bench = await evalBench(stub.url, options);
  const { service, world } = bench;
  const admin = await signedInBrowser(service, world.people.owner.userId);
  await admin.call(`/app/organizations/${world.organizationId}/model-providers/custom:visited`, {
    method: "PUT",
    body: {
      baseUrl: `${new URL(stub.url).origin}/v1`,
      apiKey: "none",
      models: [{ model: "priced", price }],
    },
  });
  const model = "custom:visited:priced";
  const call: VisitedBench["call"] = (method, path, body, person = "owner") =>
    bench.call(method, path, body, { person });
  const environment = (wanted = model) => visitedEnvironment(service, world, bench.server.id, wanted);
  return {
    bench,
    stub,
    model,
    call,
    environment,
    publish: async (over = {}, wanted) => {
      const id = await environment(wanted);
      const body = { mode: "anyone_with_link", feedback: "thumbs", ...over };
      const { body: made } = await call("PUT", `/environments/${id}/scenario`, body);
      return { ...made, at: `/user-testing/scenarios/${made.id}` };
    },
    visitor: (person) => visitor(service, world, person),
    forgetPace: async () => {
      await service.app.pool.query("DELETE FROM rate_limits WHERE id LIKE 'visit-%'");
    },
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await stub.close();
    },
  };
}
