/** @module A made-up bookshop's server as it was pinned, and conversations with it, for tests and benches. Values that change from run to run come from a seed. */
import type { ServerSnapshot, SnapshotTool } from "../observed/snapshot.ts";
import type { Unit, UnitCall } from "../observed/unit.ts";

export const serverId = "srv_books";

const text = (description?: string) => ({ type: "string", ...(description && { description }) });
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});

const tools: SnapshotTool[] = [
  {
    name: "search_books",
    description: "Search the catalogue of books by words of title or author.",
    inputSchema: object({ query: text("Words"), page: { type: "integer" } }, ["query"]),
  },
  {
    name: "lookup_books",
    description: "Search the catalogue of books by words of title or author, too.",
    inputSchema: object({ query: text("Words"), page: { type: "integer" } }, ["query"]),
  },
  {
    name: "get_book",
    description: "Get one book with its price.",
    inputSchema: object({ book_id: text("From a search") }, ["book_id"]),
  },
  {
    name: "create_order",
    description: "Order a book for delivery. Do not use it for gifts.",
    inputSchema: object(
      { book_id: text("From a search"), date: text(), priority: { enum: ["low", "high"] } },
      ["book_id"],
    ),
  },
  {
    name: "cancel_order",
    description: "Cancel an order that was not delivered.",
    inputSchema: object({ order_id: text("From the list of orders") }, ["order_id"]),
  },
  {
    name: "list_orders",
    description: "List orders of the customer.",
    inputSchema: object({ cursor: text("From the page before") }),
  },
  {
    name: "get_stock",
    description: "Tell how many copies the shop holds.",
    inputSchema: object({ book_id: text("From a search") }, ["book_id"]),
    outputSchema: object({ copies: { type: "integer" } }, ["copies"]),
  },
  { name: "export_catalogue", description: "Everything at once.", inputSchema: object({}) },
  {
    name: "delete_review",
    description: "Remove a review.",
    inputSchema: object({ review_id: text("Of the review") }, ["review_id"]),
    annotations: { readOnlyHint: true },
  },
  {
    name: "show_cover",
    description: "Show a cover as a picture.",
    inputSchema: object({ book_id: text("From a search") }),
  },
];

export const snapshot: ServerSnapshot = {
  serverId,
  serverName: "books",
  hash: "a".repeat(64),
  takenAt: 1_000,
  tools,
};

/** Numbers and names that differ from seed to seed, and are the same for the same seed. */
export function seeded(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const hex = (length: number) => Array.from({ length }, () => next(16).toString(16)).join("");
  return {
    number: () => 1 + next(90_000),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    id: (prefix: string) => `${prefix}_${next(10)}${hex(9)}`,
    path: () => `/srv/${hex(5)}/data/${hex(4)}.db`,
    host: () => `10.${next(200)}.${next(200)}.${1 + next(200)}:${1_024 + next(9_000)}`,
    url: () => `https://${hex(6)}.example.com/v${next(9)}?q=${hex(4)}`,
    moment: () =>
      new Date(Date.UTC(2020 + next(6), next(12), 1 + next(28), next(24), next(60), next(60))).toISOString(),
  };
}
export type Values = ReturnType<typeof seeded>;

export interface Said {
  user: string;
  answer?: string | null;
  calls?: readonly (Partial<UnitCall> & Pick<UnitCall, "toolName">)[];
}

/** What a tool gives when it goes well. */
export const gave = (words: string) => ({ content: [{ type: "text", text: words }] });

export const failing = (words: string, code?: number): Pick<UnitCall, "end" | "error"> => ({
  end: "error",
  error: { text: words, code },
});

export function conversation(id: string, said: readonly Said[], over: Partial<Unit> = {}): Unit {
  const calls = said.flatMap(({ calls: made = [] }, turn) =>
    made.map(
      (call, at): UnitCall => ({
        turn,
        messageIndex: turn * 10 + at + 1,
        serverId,
        arguments: {},
        end: "ok",
        result: call.end === undefined || call.end === "ok" ? gave("Fine: 3 copies.") : undefined,
        resultBytes: 200,
        durationMs: 120,
        ...call,
      }),
    ),
  );
  return {
    kind: "session",
    id,
    startedAt: 10_000 + Number(/\d+$/.exec(id)?.[0] ?? 0),
    durationMs: 4_000,
    model: { id: "openai/gpt-5", modelClass: "live" },
    snapshots: { [serverId]: snapshot.hash },
    turns: said.map(({ user, answer = "Here it is." }, turn) => ({ user, answer, messageIndex: turn * 10 })),
    calls,
    totalTokens: 900,
    verdict: null,
    isGating: false,
    end: { stopCause: "completed", idleAfterMs: null, reachedTurnCap: false },
    ...over,
  };
}
