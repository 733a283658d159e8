/** @module The sample project's scenario and its first visitors: made up, called samples, and played by the real engine with the built-in rules. */
import { idOf } from "@fettle/contract/core";
import type { z } from "zod";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { mineWhatCame } from "../../visitors/user-testing/insights/windows.ts";
import { linkOf, publishScenario } from "../../visitors/user-testing/scenarios.ts";
import * as scenarios from "../../visitors/user-testing/store.ts";
import { countBegun } from "../../visitors/user-testing/tallies.ts";
import { endOwnSession, rateTurn, startSession } from "../../visitors/user-testing/visit-sessions.ts";
import { startVisitTurn } from "../../visitors/user-testing/visit-turn.ts";
import {
  type Coming,
  consent,
  type Present,
  redeem,
  requireVisit,
} from "../../visitors/user-testing/visits.ts";
import { findOrMakeDesk, sampleInput } from "./desk.ts";

interface SampleVisit {
  name: string;
  says: readonly string[];
  rating: 0 | 1;
  comment?: string;
}

/** Two find what they came for. The others meet what the bookshop does not tell a model. */
const visits: readonly SampleVisit[] = [
  { name: "Ada", says: ['Search books for "tin"'], rating: 1 },
  {
    name: "Ben",
    says: ['On which shelf does "The Salt Atlas" stand?'],
    rating: 0,
    comment: "It never told me where the book stands.",
  },
  {
    name: "Cleo",
    says: ['Check the stock of the book with bookId = "Tin Swallows"'],
    rating: 0,
    comment: "I know the title. How should I know an id?",
  },
  {
    name: "Dev",
    says: ['Search books for "tin"', 'Check the stock of the book with bookId = "tin-swallows"'],
    rating: 1,
    comment: "Quick.",
  },
  {
    name: "Emi",
    says: ['Check the stock of the book with bookId = "The Salt Atlas"'],
    rating: 0,
  },
  {
    name: "Fay",
    says: ['On which shelf does "Tin Swallows" stand?'],
    rating: 0,
    comment: "No such book? It stands behind me.",
  },
];

/** Enqueued with the sample project, so that it is made once, and not again after somebody took it down. */
export const sampleVisitsJob = defineJob({
  name: "sample.visits",
  input: sampleInput,
  retry: { attempts: 5, delayMs: 1_000 },
  timeoutMs: 120_000,
  run: async ({ app, input, signal }) => {
    const scenario = await findOrPublish(app, input);
    // Counted as they begin: one that was cut off stays as it is, and the next one comes.
    const begunOf = await countBegun(app.db, [scenario.id]);
    for (const visit of visits.slice(begunOf(scenario.id).real)) {
      signal.throwIfAborted();
      await play(app, scenario, visit, signal);
    }
    await mineWhatCame(app, scenario);
  },
});

async function findOrPublish(app: App, input: z.infer<typeof sampleInput>): Promise<scenarios.ScenarioRow> {
  const { projectId, userId } = input;
  const [found] = await scenarios.listScenarios(app.db, projectId);
  if (found) return found;
  const environmentId = await findOrMakeDesk(app, input);
  await publishScenario(app, { projectId, userId, origin: "" }, environmentId, {
    name: "Ask the bookshop (sample)",
    description: "Find a book, and where it stands. The visitors that are here already are made up.",
    mode: "anyone_with_link",
    feedback: "thumbs",
  });
  return stillThere(await scenarios.findOfEnvironment(app.db, environmentId));
}

/** As a guest with a browser would: by the link, and from then on by the cookie it gave. */
async function play(
  app: App,
  scenario: scenarios.ScenarioRow,
  { name, says, rating, comment }: SampleVisit,
  stopping: AbortSignal,
): Promise<void> {
  const coming: Coming = { caller: { kind: "nobody" }, ip: "sample", headers: {} };
  const { cookie } = await redeem(app, coming, linkOf(app, scenario, "").path.slice("/t/".length));
  const known = { ...coming, headers: { cookie: cookie.replace(/;.*/s, "") } };
  const present = (): Promise<Present> => requireVisit(app, known, scenario.id);
  await consent(app, await present(), `Sample: ${name}`);
  const sessionId = idOf<"chatSession">().parse((await startSession(app, await present())).sessionId);
  for (const [place, message] of says.entries()) {
    const request = { message, idempotencyKey: `sample-${place}` };
    const listener = { ip: coming.ip, gone: stopping, stopping };
    const told = await startVisitTurn(app, await present(), sessionId, request, listener);
    for await (const { event, data } of told) {
      if (event !== "done" || place < says.length - 1) continue;
      const turnId = idOf<"chatTurn">().parse(data.turnId);
      await rateTurn(app, await present(), { sessionId, turnId }, { value: rating, comment });
    }
  }
  await endOwnSession(app, await present(), sessionId);
}
