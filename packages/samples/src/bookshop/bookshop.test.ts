import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { fileURLToPath } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bookshopHandler, type RunningBookshop, startBookshop } from "../index.ts";
import { connectHttp, connectStdio, ERAS, REVISION } from "../sdk-client.ts";
import { listen } from "../serve-http.ts";
import { BOOKS, GENRES } from "./books.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

let shop: RunningBookshop;
beforeAll(async () => {
  shop = await startBookshop();
});
afterAll(() => shop.close());
afterEach(() => shop.reset());

const order = {
  orderReference: "test-1",
  customer: "Ida Test",
  items: [{ bookId: "tin-swallows", quantity: 2 }],
  delivery: "post",
};

async function withClient<T>(client: Promise<Client>, use: (client: Client) => Promise<T>): Promise<T> {
  const connected = await client;
  try {
    return await use(connected);
  } finally {
    await connected.close();
  }
}

const call = (name: string, args: Record<string, unknown> = {}) =>
  withClient(connectHttp(shop.url, "modern"), (client) => client.callTool({ name, arguments: args }));

test("the catalogue holds forty books with distinct ids, and every genre has some", () => {
  expect(new Set(BOOKS.map((book) => book.id)).size).toBe(40);
  expect(new Set(BOOKS.map((book) => book.genre))).toEqual(new Set(GENRES));
  for (const book of BOOKS) {
    expect(book).toMatchObject({ year: expect.any(Number), priceCents: expect.any(Number) });
    expect(Number.isInteger(book.pages + book.copies + book.year + book.priceCents)).toBe(true);
  }
});

describe.each(ERAS)("in the %s era", (era) => {
  const connections = {
    HTTP: () => connectHttp(shop.url, era),
    stdio: () => connectStdio([MAIN, "--stdio"], era),
  };

  test.each(Object.entries(connections))("everything can be listed and read over %s", async (_, connect) => {
    await withClient(connect(), async (client) => {
      expect(client.getNegotiatedProtocolVersion()).toBe(REVISION[era]);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual([
        "search_books",
        "get_book",
        "check_stock",
        "shelf_info",
        "place_order",
        "list_orders",
        "track_order",
        "show_bookshelf",
        "turn_shelf_page",
      ]);
      for (const tool of tools) {
        expect(tool.outputSchema, tool.name).toBeDefined();
        expect(tool.annotations, tool.name).toMatchObject({ readOnlyHint: tool.name !== "place_order" });
      }
      expect((await client.listResources()).resources).toHaveLength(42);
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
      const page = await client.readResource({ uri: "bookshop://books/small-weather" });
      expect(page.contents[0]).toMatchObject({ text: expect.stringContaining("Forty poems") });
      const prompt = await client.getPrompt({
        name: "recommend_books",
        arguments: { reader: "a sailor", mood: "cosy" },
      });
      expect(prompt.messages[0]?.content).toMatchObject({ text: expect.stringContaining("a sailor") });
      const { completion } = await client.complete({
        ref: { type: "ref/prompt", name: "recommend_books" },
        argument: { name: "mood", value: "c" },
      });
      expect(completion.values).toEqual(["cosy", "curious"]);
    });
  });

  test("an order can be placed and tracked", async () => {
    await withClient(connections.HTTP(), async (client) => {
      const placed = await client.callTool({ name: "place_order", arguments: order });
      expect(placed.structuredContent).toMatchObject({
        orderId: "BK-1004",
        totalCents: 3148,
        repeated: false,
      });
      const tracked = await client.callTool({ name: "track_order", arguments: { orderId: "test-1" } });
      expect(tracked.structuredContent).toMatchObject({ orderId: "BK-1004", status: "received" });
    });
  });
});

test("a search goes on page by page until every match was seen once", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { structuredContent } = await call("search_books", { inStockOnly: true, cursor });
    const page = structuredContent as { books: { id: string }[]; total: number; nextCursor?: string };
    expect(page.total).toBe(BOOKS.filter((book) => book.copies > 0).length);
    seen.push(...page.books.map((book) => book.id));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual(BOOKS.filter((book) => book.copies > 0).map((book) => book.id));
});

test("filters narrow a search and sorting orders it", async () => {
  const { structuredContent } = await call("search_books", {
    genre: "travel",
    maxPriceCents: 1400,
    sort: "price",
  });
  expect((structuredContent as { books: { id: string }[] }).books.map((book) => book.id)).toEqual([
    "walking-home-by-the-wrong-road",
    "the-island-at-the-end-of-the-post",
    "slow-trains-to-anywhere",
  ]);
});

test("repeating an order reference orders nothing again, and other contents under it are refused", async () => {
  const first = await call("place_order", order);
  const again = await call("place_order", order);
  expect(again.structuredContent).toEqual({ ...(first.structuredContent as object), repeated: true });
  expect((await call("check_stock", { bookId: "tin-swallows" })).structuredContent).toMatchObject({
    copies: 14,
  });
  const other = await call("place_order", { ...order, customer: "Someone Else" });
  expect(other).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("REFERENCE_TAKEN") }],
  });
});

test("an order is taken whole or not at all", async () => {
  const items = [...order.items, { bookId: "the-quiet-verdict", quantity: 1 }];
  expect(await call("place_order", { ...order, items })).toMatchObject({ isError: true });
  expect((await call("check_stock", { bookId: "tin-swallows" })).structuredContent).toMatchObject({
    copies: 16,
  });
  expect((await call("list_orders")).structuredContent).toMatchObject({ orders: { length: 3 } });
});

test.each([
  ["confirmed", { action: "accept" as const, content: { confirm: true } }, /^Ordered/],
  ["not confirmed", { action: "accept" as const, content: { confirm: false } }, /NOT_CONFIRMED/],
  ["declined", { action: "decline" as const }, /NOT_CONFIRMED/],
])("a large order is asked about once it could be placed: %s", async (_, answer, said) => {
  const asked: string[] = [];
  const client = await connectHttp(shop.url, "modern", { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return answer;
  });
  await withClient(Promise.resolve(client), async () => {
    const place = async (bookId: string) => {
      const { content } = await client.callTool({
        name: "place_order",
        arguments: { ...order, items: [{ bookId, quantity: 12 }] },
      });
      return JSON.stringify(content);
    };
    expect(await place("tin-swalows")).toContain("BOOK_NOT_FOUND");
    expect(asked).toEqual([]);
    expect((JSON.parse(await place("a-cold-cup-for-inspector-vale")) as { text: string }[])[0]?.text).toMatch(
      said,
    );
    expect(asked).toEqual(["That is 12 books. Shall the shop really order them?"]);
  });
});

test("shelves never run dry however many orders come", async () => {
  await withClient(connectHttp(shop.url, "modern"), async (client) => {
    for (let n = 0; n < 12; n += 1) {
      const placed = await client.callTool({
        name: "place_order",
        arguments: { ...order, orderReference: `r${n}` },
      });
      expect(placed.isError).toBeFalsy();
    }
  });
});

test("refusals are tool errors that say what to do next", async () => {
  expect(await call("get_book", { bookId: "nope" })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("search_books") }],
  });
  expect(await call("search_books", { cursor: "bm9wZQ" })).toMatchObject({ isError: true });
});

test("exactly one tool is described badly", async () => {
  const { tools } = await withClient(connectHttp(shop.url, "modern"), (client) => client.listTools());
  const weak = tools.filter((tool) => (tool.description ?? "").length < 40);
  expect(weak.map((tool) => tool.name)).toEqual(["shelf_info"]);
});

test("a page on another site cannot reach the shop through a browser", async () => {
  const response = await fetch(shop.url, { method: "POST", headers: { origin: "https://evil.example" } });
  expect(response.status).toBe(403);
});

test("the handler can be mounted in another server", async () => {
  const handler = await bookshopHandler();
  const server = await listen(handler.listener);
  await withClient(connectHttp(`${server.origin}/anywhere`, "legacy"), async (client) => {
    expect((await client.listTools()).tools).toHaveLength(9);
  });
  // A page on another site that got its name to point here.
  const rebound = request(server.origin, { method: "POST", headers: { host: "evil.example.com" } }).end();
  const [answer] = (await once(rebound, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(403);
  answer.resume();
  await handler.close();
  await server.close();
});
