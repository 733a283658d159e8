/** The list of all conversations, page by page. */
import { expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { chatSessions } from "../../core/tables/chat.ts";
import { testService } from "../../testing/service.ts";
import { makeWorld } from "../../testing/world.ts";

it("shows each conversation once, pinned ones first, whatever comes in meanwhile", async () => {
  await using service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  const { db } = service.app;
  const world = await makeWorld(db);
  const { owner, admin } = world.people;
  const plant = async (
    title: string,
    minute: number,
    over: Partial<typeof chatSessions.$inferInsert> = {},
  ) => {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute));
    await db.insert(chatSessions).values({
      id: newId("chatSession"),
      projectId: world.projectId,
      createdBy: owner.userId,
      origin: "playground",
      title,
      model: "fettle/rules-1",
      toolMode: "auto",
      settled: {},
      turnCount: 1,
      firstMessage: "Find a book",
      createdAt: at,
      lastActivityAt: at,
      ...over,
    });
  };
  const others = { createdBy: admin.userId };
  await plant("pinned, old", 1, { isPinned: true });
  await plant("pinned, older", 0, { isPinned: true, status: "archived" });
  await plant("mine", 9);
  await plant("put away", 8, { status: "archived" });
  await plant("shared", 7, { ...others, visibility: "project" });
  await plant("shared and pinned by its owner", 6, { ...others, visibility: "project", isPinned: true });
  await plant("private", 5, others);
  await plant("of the same moment", 4);
  await plant("of the same moment", 4);
  await plant("never begun", 3, { turnCount: 0 });

  const pages = async (query: string) => {
    const titles: string[] = [];
    const ids = new Set<string>();
    for (let cursor = ""; ; ) {
      const path = `/api/v1/projects/${world.projectId}/sessions?limit=1${query}${cursor}`;
      const { body } = await service.call(path, { key: owner.key });
      for (const { id, title } of body.items) {
        titles.push(title);
        ids.add(id);
      }
      if (body.nextCursor === undefined) return { titles, different: ids.size };
      cursor = `&cursor=${body.nextCursor}`;
      if (titles.length === 3) await plant("came in meanwhile", 20);
    }
  };
  const own = ["mine", "put away", "of the same moment", "of the same moment"];
  const shared = ["shared", "shared and pinned by its owner"];
  expect(await pages("")).toEqual({
    titles: ["pinned, old", "pinned, older", own[0], own[1], ...shared, own[2], own[3]],
    different: 8,
  });
  expect((await pages("&status=archived")).titles).toEqual(["pinned, older", "put away"]);
  expect((await pages("&sourceType=scenario")).titles).toEqual([]);
  expect((await pages("&sourceType=swarm")).titles).toEqual([]);
  // Titles count for more than what was said.
  expect((await pages("&q=pinned")).titles).toEqual([
    "shared and pinned by its owner",
    "pinned, old",
    "pinned, older",
  ]);
  expect(await pages("&q=moment")).toEqual({ titles: [own[2], own[3]], different: 2 });
});
