/**
 * The shop's tools. One of them is described badly on purpose; the README says which, so that evals have something to find.
 * @module
 */
import { type CallToolResult, type McpServer, requireScopes } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Book, GENRES } from "./books.ts";
import { ORDER_STATES, type Order, type Shop, ShopError } from "./shop.ts";
import { SHELF_WIDGET_URI } from "./widget.ts";

const bookId = z.string().min(1).describe('Book id as returned by search_books, such as "tin-swallows".');

const BookSummary = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  genre: z.enum(GENRES),
  year: z.number().int(),
  priceCents: z.number().int().describe("Price in euro cents."),
});

const BookDetails = BookSummary.extend({ pages: z.number().int(), blurb: z.string() });

const SearchInput = z.object({
  query: z.string().optional().describe("Words that must all occur in title, author, genre or blurb."),
  genre: z.enum(GENRES).optional().describe("Only books of this genre."),
  maxPriceCents: z.number().int().min(0).optional().describe("Only books up to this price, in euro cents."),
  inStockOnly: z.boolean().optional().describe("Leave out books that are being reprinted."),
  sort: z
    .enum(["relevance", "price", "newest"])
    .optional()
    .describe("Order of the results; shelf order by default."),
  cursor: z.string().optional().describe("nextCursor of the previous page, to go on from there."),
  limit: z.number().int().min(1).max(20).optional().describe("Books per page, 10 by default."),
});

const SearchOutput = z.object({
  books: z.array(BookSummary),
  total: z.number().int().describe("How many books match in all."),
  nextCursor: z.string().optional().describe("Pass it back to read the next page; absent on the last one."),
});

const StockOutput = z.object({
  bookId: z.string(),
  copies: z.number().int(),
  available: z.boolean(),
  expectedOn: z.string().optional().describe("Date a sold-out book is expected back, YYYY-MM-DD."),
});

const OrderLine = z.object({
  bookId,
  quantity: z.number().int().min(1).max(20).describe("Copies of this book."),
});

const OrderOutput = z.object({
  orderId: z.string(),
  orderReference: z.string(),
  customer: z.string(),
  items: z.array(z.object({ bookId: z.string(), quantity: z.number().int() })),
  delivery: z.enum(["collect", "post"]),
  status: z.enum(ORDER_STATES),
  placedOn: z.string(),
  expectedOn: z.string(),
  totalCents: z.number().int().describe("Books and postage, in euro cents."),
});

const PlacedOrder = OrderOutput.extend({
  repeated: z.boolean().describe("True when this reference was ordered before and nothing new happened."),
});

const OrdersOutput = z.object({ orders: z.array(OrderOutput) });
const ShelfOutput = SearchOutput.extend({ heading: z.string() });
const ShelfInfoOutput = z.object({ bookId: z.string(), aisle: z.string(), shelf: z.string() });

const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

export function addTools(server: McpServer, shop: Shop, options: { orderScope?: string }): void {
  server.registerTool(
    "search_books",
    {
      title: "Search the catalogue",
      description:
        "Searches the shop's catalogue by words, genre and price, and returns one page of books with their ids. Use it first whenever you need a book id.",
      inputSchema: SearchInput,
      outputSchema: SearchOutput,
      annotations: READS,
    },
    (wanted) =>
      attempt(() => {
        const page = shop.search(wanted);
        return structured({ ...page, books: page.books.map(summary) }, describePage(page.books, page.total));
      }),
  );

  server.registerTool(
    "get_book",
    {
      title: "Get a book",
      description: "Returns one book's details: author, year, pages, price and what it is about.",
      inputSchema: z.object({ bookId }),
      outputSchema: BookDetails,
      annotations: READS,
    },
    (input) =>
      attempt(() => {
        const book = shop.findBook(input.bookId);
        const text = `"${book.title}" by ${book.author} (${book.year}), ${book.pages} pages, ${euros(book.priceCents)}. ${book.blurb}`;
        return structured({ ...summary(book), pages: book.pages, blurb: book.blurb }, text);
      }),
  );

  server.registerTool(
    "check_stock",
    {
      title: "Check stock",
      description:
        "Says how many copies of a book are on the shelf right now, and when a sold-out book is expected back.",
      inputSchema: z.object({ bookId }),
      outputSchema: StockOutput,
      annotations: { ...READS, idempotentHint: false },
    },
    (input) =>
      attempt(() => {
        const stock = shop.stockOf(input.bookId);
        const { title } = shop.findBook(input.bookId);
        const text = stock.available
          ? `${stock.copies} copies of "${title}" are on the shelf.`
          : `"${title}" is sold out and expected back on ${stock.expectedOn}.`;
        return structured({ ...stock }, text);
      }),
  );

  server.registerTool(
    "shelf_info",
    {
      title: "Shelf info",
      description: "Returns information.",
      inputSchema: z.object({ id: z.string() }),
      outputSchema: ShelfInfoOutput,
      annotations: READS,
    },
    (input) =>
      attempt(() => {
        const book = shop.findBook(input.id);
        const aisle = book.shelf.charAt(0);
        const text = `"${book.title}" stands in aisle ${aisle}, shelf ${book.shelf}.`;
        return structured({ bookId: book.id, aisle, shelf: book.shelf }, text);
      }),
  );

  server.registerTool(
    "place_order",
    {
      title: "Place an order",
      description:
        "Orders books for a customer, all lines or none. Choose an orderReference yourself: repeating the call with the same reference and contents returns the first order and orders nothing again.",
      inputSchema: z.object({
        orderReference: z
          .string()
          .min(1)
          .max(64)
          .describe("Your own name for this order; it makes repeating the call safe."),
        customer: z.string().min(1).max(120).describe("Name of the person or group the books are for."),
        items: z.array(OrderLine).min(1).max(10).describe("What to order."),
        delivery: z.enum(["collect", "post"]).describe("Collect in the shop, or by post for 3.50 euros."),
      }),
      outputSchema: PlacedOrder,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      ...(options.orderScope && { scopeChallenge: requireScopes(options.orderScope) }),
    },
    (request) =>
      attempt(() => {
        const { order, repeated } = shop.placeOrder(request);
        return structured(
          { ...order, repeated },
          `${repeated ? "Already ordered" : "Ordered"}. ${describe(order)}`,
        );
      }),
  );

  server.registerTool(
    "list_orders",
    {
      title: "List orders",
      description: "Lists the shop's orders, newest last, optionally of one customer or in one state.",
      inputSchema: z.object({
        customer: z.string().optional().describe("Part of the customer's name."),
        status: z.enum(ORDER_STATES).optional().describe("Only orders in this state."),
      }),
      outputSchema: OrdersOutput,
      annotations: { ...READS, idempotentHint: false },
    },
    (filter) =>
      attempt(() => {
        const orders = shop.listOrders(filter);
        return structured({ orders }, orders.map(describe).join("\n") || "No orders.");
      }),
  );

  server.registerTool(
    "track_order",
    {
      title: "Track an order",
      description:
        "Says where one order is and when it is expected, by its order id or your order reference.",
      inputSchema: z.object({
        orderId: z.string().min(1).describe('Order id such as "BK-1002", or the order reference.'),
      }),
      outputSchema: OrderOutput,
      annotations: { ...READS, idempotentHint: false },
    },
    (input) =>
      attempt(() => {
        const order = shop.trackOrder(input.orderId);
        return structured({ ...order }, describe(order));
      }),
  );

  server.registerTool(
    "show_bookshelf",
    {
      title: "Show a bookshelf",
      description:
        "Shows the customer a browsable shelf of book covers, of one genre or of everything. Use it when they want to look around rather than find one book.",
      inputSchema: z.object({
        genre: z.enum(GENRES).optional().describe("Whose shelf to show; all by default."),
      }),
      outputSchema: ShelfOutput,
      annotations: READS,
      _meta: { ui: { resourceUri: SHELF_WIDGET_URI } },
    },
    ({ genre }) => attempt(() => shelfPage(shop, { genre })),
  );

  server.registerTool(
    "turn_shelf_page",
    {
      title: "Turn the page of a bookshelf",
      description:
        "Reads another page of the shelf that show_bookshelf displays. Called by the shelf itself.",
      inputSchema: z.object({
        genre: z.enum(GENRES).optional().describe("Whose shelf is shown."),
        cursor: z.string().describe("nextCursor of the page before."),
      }),
      outputSchema: ShelfOutput,
      annotations: READS,
      _meta: { ui: { resourceUri: SHELF_WIDGET_URI, visibility: ["app"] } },
    },
    (input) => attempt(() => shelfPage(shop, input)),
  );
}

function shelfPage(
  shop: Shop,
  wanted: { genre?: (typeof GENRES)[number] | undefined; cursor?: string | undefined },
): CallToolResult {
  const page = shop.search({ ...wanted, limit: 8 });
  const heading = wanted.genre ? wanted.genre.replace("-", " ") : "all books";
  return structured(
    { ...page, books: page.books.map(summary), heading },
    `Shelf of ${heading}: ${page.total} books.`,
  );
}

function summary({ id, title, author, genre, year, priceCents }: Book) {
  return { id, title, author, genre, year, priceCents };
}

function describePage(books: readonly Book[], total: number): string {
  const lines = books.map(
    (book) => `- ${book.title} by ${book.author}, ${euros(book.priceCents)} (${book.id})`,
  );
  return [`${total} ${total === 1 ? "book matches" : "books match"}.`, ...lines].join("\n");
}

function describe(order: Order): string {
  const items = order.items.map((line) => `${line.quantity} x ${line.bookId}`).join(", ");
  return `${order.orderId} for ${order.customer}: ${items}. ${euros(order.totalCents)}, ${order.status}, expected ${order.expectedOn}.`;
}

function euros(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}

function structured(structuredContent: Record<string, unknown>, text: string): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** Turns a refusal by the shop into a tool error the model can read and mend. */
function attempt(run: () => CallToolResult): CallToolResult {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return { isError: true, content: [{ type: "text", text: `${error.code}: ${error.message}` }] };
  }
}
