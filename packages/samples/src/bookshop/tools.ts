/**
 * The shop's tools. One of them is described badly on purpose; the README says which, so that evals have something to find.
 * @module
 */
import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  requireScopes,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { clientCapabilities } from "../client-capabilities.ts";
import type { Book, Genre } from "./books.ts";
import { type Order, type OrderRequest, type Shop, ShopError } from "./shop.ts";
import {
  BookDetails,
  BookInput,
  OrderInput,
  OrderOutput,
  OrdersInput,
  OrdersOutput,
  PlacedOrderOutput,
  SearchInput,
  SearchOutput,
  ShelfInfoInput,
  ShelfInfoOutput,
  ShelfInput,
  ShelfOutput,
  ShelfPageInput,
  StockOutput,
  TrackInput,
} from "./tool-shapes.ts";
import { SHELF_WIDGET_URI } from "./widget.ts";

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
      inputSchema: BookInput,
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
      inputSchema: BookInput,
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
      inputSchema: ShelfInfoInput,
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
      inputSchema: OrderInput,
      outputSchema: PlacedOrderOutput,
      annotations: {
        readOnlyHint: false,
        // It takes books out of stock, and there is no tool to bring them back.
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
      ...(options.orderScope && { scopeChallenge: requireScopes(options.orderScope) }),
    },
    (request, ctx) =>
      attempt(() => {
        const question = largeOrderQuestion(request, shop, server, ctx);
        if (question) return question;
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
      inputSchema: OrdersInput,
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
      inputSchema: TrackInput,
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
      inputSchema: ShelfInput,
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
      inputSchema: ShelfPageInput,
      outputSchema: ShelfOutput,
      annotations: READS,
      _meta: { ui: { resourceUri: SHELF_WIDGET_URI, visibility: ["app"] } },
    },
    (input) => attempt(() => shelfPage(shop, input)),
  );
}

/** From so many copies on, a person who can be asked says whether they mean it. */
const LARGE_ORDER = 10;
const Confirmation = z.object({ confirm: z.boolean() });

/** Undefined once the order may be placed. */
function largeOrderQuestion(
  { items }: OrderRequest,
  shop: Shop,
  server: McpServer,
  ctx: ServerContext,
): InputRequiredResult | undefined {
  const copies = items.reduce((sum, { quantity }) => sum + quantity, 0);
  if (copies < LARGE_ORDER || !clientCapabilities(server, ctx).elicitation) return undefined;
  shop.requireCopies(items);
  const { inputResponses } = ctx.mcpReq;
  if (inputResponse(inputResponses, "confirmation").kind !== "elicit") {
    const confirmation = inputRequired.elicit({
      message: `That is ${copies} books. Shall the shop really order them?`,
      requestedSchema: {
        type: "object",
        properties: { confirm: { type: "boolean", title: "Order them" } },
        required: ["confirm"],
      },
    });
    return inputRequired({ inputRequests: { confirmation } });
  }
  if (acceptedContent(inputResponses, "confirmation", Confirmation)?.confirm) return undefined;
  throw new ShopError("NOT_CONFIRMED", "The order was not confirmed, and nothing was ordered.");
}

function shelfPage(
  shop: Shop,
  wanted: { genre?: Genre | undefined; cursor?: string | undefined },
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
function attempt<Result extends CallToolResult | InputRequiredResult>(
  run: () => Result,
): Result | CallToolResult {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return { isError: true, content: [{ type: "text", text: `${error.code}: ${error.message}` }] };
  }
}
