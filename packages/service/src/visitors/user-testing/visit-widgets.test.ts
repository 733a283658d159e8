import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type SpoiledBookshop, startSpoiledBookshop } from "../../testing/spoiled-bookshop.ts";
import { type VisitedShop, visitedShop } from "../../testing/visited-shop.ts";
import { type Visitor, visitor } from "../../testing/visiting.ts";

const clock = { now: Date.UTC(2026, 10, 16, 12) };
let shop: SpoiledBookshop;
let visited: VisitedShop;
let link: string;
beforeAll(async () => {
  shop = await startSpoiledBookshop();
  visited = await visitedShop(shop, clock, { FETTLE_WIDGET_URL: "https://widgets.example" });
  ({ link } = await visited.publish());
});
afterAll(async () => {
  await visited[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});
/** All come from one address. */
beforeEach(() => visited.bench.service.app.pool.query("DELETE FROM rate_limits"));

interface Shelf {
  someone: Visitor;
  at: string;
  toolCallId: string;
}

/** Somebody who was shown a shelf. */
async function shownShelf(): Promise<Shelf> {
  const someone = visitor(visited.bench.service, visited.bench.world);
  const sessionId = await someone.begin(link);
  const told = await someone.say(sessionId, "Show me a browsable shelf of book covers");
  const { body } = await someone.call("");
  const [call] = body.session.messages.flatMap(({ calls }: { calls: object[] }) => calls);
  expect(call).toMatchObject({ toolName: "show_bookshelf", status: "ok", hasWidget: true });
  const { turnId } = told.at(-1)!.data;
  return { someone, at: `/sessions/${sessionId}/turns/${turnId}/widget`, toolCallId: call.toolCallId };
}

const asks = ({ someone, at, toolCallId }: Shelf, name: string, input: object) =>
  someone.call(`${at}/asks`, "POST", { toolCallId, asked: { name, input } });
const calls = (shelf: Shelf, toolName: string, parameters: object = {}) =>
  asks(shelf, "callTool", { toolName, parameters });
const refused = (status: number, code: string) => ({ status, body: { details: { code } } });

it("a visitor's widget gets what it draws, and looks further things up", async () => {
  const shelf = await shownShelf();
  const { someone, at, toolCallId } = shelf;
  const { status, body } = await someone.call(at, "POST", { toolCallId });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      rendered: { proxyUrl: expect.stringMatching(/^https:\/\/widgets\.example\//), dialect: "mcp" },
      tool: { name: "show_bookshelf", inputSchema: { type: "object" } },
      arguments: {},
      result: { structuredContent: { total: 40 } },
      asksBeforeCalls: false,
    },
  });
  const { rows } = await visited.bench.service.app.pool.query(
    "SELECT user_id, visitor_id, html FROM widget_documents WHERE id = $1",
    [body.rendered.id],
  );
  expect(rows).toEqual([
    { user_id: null, visitor_id: expect.stringMatching(/^vst_/), html: expect.stringContaining("<!doctype") },
  ]);
  // What the visit itself tells stays without results.
  expect(JSON.stringify((await someone.call("")).body)).not.toContain("structuredContent");
  const cursor = body.result.structuredContent.nextCursor;
  expect(await calls(shelf, "turn_shelf_page", { cursor })).toMatchObject({
    status: 200,
    body: { structuredContent: { total: 40 } },
  });
  const document = await asks(shelf, "readResource", { uri: "ui://bookshop/shelf.html" });
  expect(document).toMatchObject({ status: 200, body: { contents: [{ uri: "ui://bookshop/shelf.html" }] } });
});

it("a visitor's widget changes nothing, calls nothing that is not there and reads nothing beside its own", async () => {
  const shelf = await shownShelf();
  const order = { items: [{ bookId: "tin-swallows", copies: 1 }] };
  let ordered = 0;
  shop.spoil = (name) => {
    if (name === "place_order") ordered += 1;
    return undefined;
  };
  expect(await calls(shelf, "place_order", order)).toMatchObject(refused(403, "WIDGET_ONLY_READS"));
  expect(ordered).toBe(0);
  expect(await calls(shelf, "burn_books")).toMatchObject(refused(403, "WIDGET_TOOL_MISSING"));
  expect(await asks(shelf, "readResource", { uri: "bookshop://hours" })).toMatchObject(
    refused(403, "WIDGET_OTHER_DOCUMENT"),
  );
  expect(await asks(shelf, "listResources", {})).toMatchObject({ status: 400 });
});

it("nobody finds the widget of another visitor, of another call, or of a conversation that is over", async () => {
  const [own, others] = [await shownShelf(), await shownShelf()];
  const { toolCallId } = others;
  const stolen = { ...own, at: others.at, toolCallId };
  expect(await own.someone.call(others.at, "POST", { toolCallId })).toMatchObject({ status: 404 });
  expect(await calls(stolen, "turn_shelf_page", { cursor: "8" })).toMatchObject({ status: 404 });
  expect(await own.someone.call(own.at, "POST", { toolCallId: "none" })).toMatchObject(
    refused(404, "NO_WIDGET"),
  );
  const [, , sessionId] = own.at.split("/");
  await own.someone.call(`/sessions/${sessionId}/end`, "POST");
  expect(await calls(own, "turn_shelf_page", { cursor: "8" })).toMatchObject(refused(409, "SESSION_OVER"));
  const late = await own.someone.call(own.at, "POST", { toolCallId: own.toolCallId });
  expect(late).toMatchObject(refused(409, "SESSION_OVER"));
});

it("a widget that asks for much in a short time is told to wait", async () => {
  const shelf = await shownShelf();
  const ask = () => asks(shelf, "readResource", { uri: "bookshop://hours" });
  expect(await ask()).toMatchObject(refused(403, "WIDGET_OTHER_DOCUMENT"));
  // As after the last of a minute; a time to come stands still for the bucket.
  await visited.bench.service.app.pool.query(
    "UPDATE rate_limits SET tokens = 0, refilled_at = now() + interval '1 hour' WHERE id LIKE 'visit-widget:%'",
  );
  expect(await ask()).toMatchObject(refused(429, "WIDGET_TOO_FAST"));
});
