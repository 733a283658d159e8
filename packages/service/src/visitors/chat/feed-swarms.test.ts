/** Sessions of journey runs in the list of all conversations. */
import { expect, it } from "vitest";
import { journeyBench } from "../../testing/swarms/journey-bench.ts";

it("lists and searches the sessions of journey runs beside other conversations", async () => {
  await using bench = await journeyBench();
  const journeyId = await bench.journey({
    name: "Counts copies",
    environmentIds: [await bench.environment()],
  });
  const { body: launched } = await bench.call("POST", `/journeys/${journeyId}/runs`);
  const run = await bench.settled(launched.id);
  const ids = run.attempts.map(({ id }: { id: string }) => id).toSorted();
  expect(ids).toHaveLength(2);

  const list = async (query: string) => (await bench.call("GET", `/sessions?${query}`)).body;
  const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id).toSorted();
  const { items } = await list("sourceType=swarm");
  expect(idsOf({ items })).toEqual(ids);
  expect(idsOf(await list("")), "without a kind, all are meant").toEqual(ids);
  const { body: session } = await bench.call("GET", `/journey-runs/${run.id}/sessions/${items[0].id}`);
  expect(items[0]).toMatchObject({
    chatSessionId: session.id,
    projectId: bench.world.projectId,
    sourceType: "swarm",
    status: "active",
    synthetic: true,
    ownedByViewer: false,
    title: "Counts copies",
    startedAt: session.startedAt,
    lastActivityAt: session.endedAt,
    modelId: session.modelId,
    messageCount: session.messages.length,
    firstMessagePreview: session.messages[0].text.slice(0, 200),
    cumulativeUserMessageCount: session.turns,
    cumulativeToolCallCount: session.toolCalls,
    parentRef: { kind: "journeyRun", label: "Counts copies", journeyRunId: run.id, journeyRefId: journeyId },
    link: { path: `/p/${bench.world.projectId}/swarms/runs/${run.id}?session=${session.id}` },
  });

  const first = await list("sourceType=swarm&limit=1");
  const second = await list(`sourceType=swarm&limit=1&cursor=${first.nextCursor}`);
  expect(idsOf({ items: [...first.items, ...second.items] })).toEqual(ids);
  expect(second).not.toHaveProperty("nextCursor");

  expect(idsOf(await list("q=counts"))).toEqual(ids);
  const said = encodeURIComponent(session.messages[0].text.slice(0, 30));
  const found = await list(`q=${said}&scope=transcripts`);
  expect(idsOf(found)).toContain(session.id);
  expect(found).not.toHaveProperty("searchedSwarms");
  expect((await list("sourceType=swarm&status=archived")).items).toEqual([]);
  expect((await list("sourceType=eval,direct")).items).toEqual([]);
});
