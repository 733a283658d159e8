/**
 * The shop itself: finding books, counting copies, taking orders. Everything is kept in memory, and `reset` opens the
 * shop anew. Nothing here knows about MCP.
 *
 * The calendar stands still on {@link SHOP_DAY} and shelves are topped up when they run low, so the same
 * questions keep getting the same answers however long the sample runs.
 * @module
 */
import { BOOKS, type Book, type Genre } from "./books.ts";

const SHOP_DAY = "2026-03-02";
export const ORDER_STATES = ["received", "packing", "shipped", "delivered"] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export interface Search {
  query?: string | undefined;
  genre?: Genre | undefined;
  maxPriceCents?: number | undefined;
  inStockOnly?: boolean | undefined;
  sort?: "relevance" | "price" | "newest" | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface Stock {
  bookId: string;
  copies: number;
  available: boolean;
  /** When a sold-out book is expected back from the printer. */
  expectedOn?: string;
}

export interface OrderLine {
  bookId: string;
  quantity: number;
}

export interface OrderRequest {
  orderReference: string;
  customer: string;
  items: OrderLine[];
  delivery: "collect" | "post";
}

export interface Order extends OrderRequest {
  orderId: string;
  status: OrderState;
  placedOn: string;
  expectedOn: string;
  totalCents: number;
}

/** A refusal the customer can act on; the message says how. */
export class ShopError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "ShopError";
    this.code = code;
  }
}

const PAGE_SIZE = 10;
const POSTAGE_CENTS = 350;
// A sample left running for months must not grow: the oldest orders are forgotten beyond this many.
const ORDERS_KEPT = 500;

const OPENING_ORDERS: Order[] = [
  {
    orderId: "BK-1001",
    orderReference: "marlow-gift",
    customer: "Ada Marlow",
    items: [{ bookId: "pim-and-the-paper-whale", quantity: 1 }],
    delivery: "post",
    status: "delivered",
    placedOn: "2026-02-20",
    expectedOn: "2026-02-23",
    totalCents: 1549,
  },
  {
    orderId: "BK-1002",
    orderReference: "club-march",
    customer: "Riverside Book Club",
    items: [{ bookId: "half-a-century-of-tuesday", quantity: 6 }],
    delivery: "collect",
    status: "packing",
    placedOn: "2026-02-27",
    expectedOn: "2026-03-03",
    totalCents: 7194,
  },
  {
    orderId: "BK-1003",
    orderReference: "okafor-7",
    customer: "Ben Okafor",
    items: [
      { bookId: "bread-before-dawn", quantity: 1 },
      { bookId: "small-weather", quantity: 2 },
    ],
    delivery: "post",
    status: "shipped",
    placedOn: "2026-02-26",
    expectedOn: "2026-03-04",
    totalCents: 4647,
  },
];

export type Shop = ReturnType<typeof openShop>;

/** Opens a shop with full shelves and three earlier orders in the book. */
export function openShop() {
  let shelves = new Map<string, number>();
  let orders: Order[] = [];
  let lastOrderNumber = 0;

  function reset(): void {
    shelves = new Map(BOOKS.map((book) => [book.id, book.copies]));
    orders = structuredClone(OPENING_ORDERS);
    lastOrderNumber = 1003;
  }
  reset();

  function findBook(bookId: string): Book {
    const book = BOOKS.find((candidate) => candidate.id === bookId);
    if (!book) {
      throw new ShopError("BOOK_NOT_FOUND", `No book has the id "${bookId}". Find ids with search_books.`);
    }
    return book;
  }

  function stockOf(bookId: string): Stock {
    const book = findBook(bookId);
    const copies = shelves.get(book.id) ?? 0;
    return {
      bookId: book.id,
      copies,
      available: copies > 0,
      ...(copies === 0 && { expectedOn: "2026-04-13" }),
    };
  }

  function search(wanted: Search) {
    const found = BOOKS.filter((book) => matches(book, wanted, shelves));
    if (wanted.sort === "price") found.sort((a, b) => a.priceCents - b.priceCents);
    if (wanted.sort === "newest") found.sort((a, b) => b.year - a.year);
    const start = readCursor(wanted.cursor);
    const end = start + (wanted.limit ?? PAGE_SIZE);
    return {
      books: found.slice(start, end),
      total: found.length,
      ...(end < found.length && { nextCursor: writeCursor(end) }),
    };
  }

  function placeOrder(request: OrderRequest): { order: Order; repeated: boolean } {
    const earlier = orders.find((order) => order.orderReference === request.orderReference);
    if (earlier) {
      if (!isSameRequest(earlier, request)) {
        throw new ShopError(
          "REFERENCE_TAKEN",
          `Order reference "${request.orderReference}" already belongs to ${earlier.orderId} with other contents. Use a new reference.`,
        );
      }
      return { order: earlier, repeated: true };
    }
    requireCopies(request.items);
    for (const { bookId, quantity } of request.items) takeFromShelf(findBook(bookId), quantity);
    lastOrderNumber += 1;
    const order: Order = {
      ...request,
      orderId: `BK-${lastOrderNumber}`,
      status: "received",
      placedOn: SHOP_DAY,
      expectedOn: request.delivery === "collect" ? "2026-03-03" : "2026-03-05",
      totalCents: totalOf(request),
    };
    orders = [...orders, order].slice(-ORDERS_KEPT);
    return { order, repeated: false };
  }

  /** Every line is checked before any copy leaves a shelf: an order is taken whole or not at all. */
  function requireCopies(items: OrderLine[]): void {
    for (const { bookId, quantity } of totalPerBook(items)) {
      const { copies } = stockOf(bookId);
      if (copies < quantity) {
        throw new ShopError("OUT_OF_STOCK", `Only ${copies} of "${findBook(bookId).title}" on the shelf.`);
      }
    }
  }

  function takeFromShelf(book: Book, quantity: number): void {
    const left = (shelves.get(book.id) ?? 0) - quantity;
    const runsLow = left < book.copies / 2;
    shelves.set(book.id, runsLow ? book.copies : left);
  }

  function totalOf(request: OrderRequest): number {
    const books = request.items.reduce(
      (sum, line) => sum + findBook(line.bookId).priceCents * line.quantity,
      0,
    );
    return books + (request.delivery === "post" ? POSTAGE_CENTS : 0);
  }

  function listOrders(
    filter: { customer?: string | undefined; status?: OrderState | undefined } = {},
  ): Order[] {
    const customer = filter.customer?.toLowerCase();
    return orders.filter(
      (order) =>
        (!customer || order.customer.toLowerCase().includes(customer)) &&
        (!filter.status || order.status === filter.status),
    );
  }

  function trackOrder(orderId: string): Order {
    const order = orders.find(
      (candidate) => candidate.orderId === orderId || candidate.orderReference === orderId,
    );
    if (!order) {
      throw new ShopError("ORDER_NOT_FOUND", `No order is known as "${orderId}". See list_orders.`);
    }
    return order;
  }

  return { reset, findBook, stockOf, search, requireCopies, placeOrder, listOrders, trackOrder };
}

function matches(book: Book, wanted: Search, shelves: Map<string, number>): boolean {
  if (wanted.genre && book.genre !== wanted.genre) return false;
  if (wanted.maxPriceCents !== undefined && book.priceCents > wanted.maxPriceCents) return false;
  if (wanted.inStockOnly && !shelves.get(book.id)) return false;
  const text = `${book.title} ${book.author} ${book.genre} ${book.blurb}`.toLowerCase();
  const words = (wanted.query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}

function totalPerBook(items: OrderLine[]): OrderLine[] {
  const quantities = new Map<string, number>();
  for (const { bookId, quantity } of items) quantities.set(bookId, (quantities.get(bookId) ?? 0) + quantity);
  return [...quantities].map(([bookId, quantity]) => ({ bookId, quantity }));
}

function isSameRequest(order: Order, request: OrderRequest): boolean {
  const essence = ({ customer, items, delivery }: OrderRequest) =>
    JSON.stringify([customer, items.map((line) => [line.bookId, line.quantity]), delivery]);
  return essence(order) === essence(request);
}

function writeCursor(position: number): string {
  return Buffer.from(`from:${position}`).toString("base64url");
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const position = /^from:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (position === undefined) {
    throw new ShopError("BAD_CURSOR", "This cursor is not one of ours. Start again without a cursor.");
  }
  return Number(position);
}
