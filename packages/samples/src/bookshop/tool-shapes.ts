/**
 * What the shop's tools take and give. Made once: over HTTP the server is built anew for every request, and schemas would
 * be the dearest part of it.
 * @module
 */
import * as z from "zod";
import { GENRES } from "./books.ts";
import { ORDER_STATES } from "./shop.ts";

const bookId = z.string().min(1).describe('Book id as returned by search_books, such as "tin-swallows".');
const delivery = z.enum(["collect", "post"]);

export const BookInput = z.object({ bookId });

export const BookSummary = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  genre: z.enum(GENRES),
  year: z.number().int(),
  priceCents: z.number().int().describe("Price in euro cents."),
});

export const BookDetails = BookSummary.extend({ pages: z.number().int(), blurb: z.string() });

export const SearchInput = z.object({
  query: z.string().optional().describe("Words that must all occur in title, author, genre or blurb."),
  genre: z.enum(GENRES).optional().describe("Only books of this genre."),
  maxPriceCents: z.number().int().min(0).optional().describe("Only books up to this price, in euro cents."),
  inStockOnly: z.boolean().optional().describe("Leave out books that are being reprinted."),
  sort: z
    .enum(["relevance", "price", "newest"])
    .optional()
    .describe("Order of results; shelf order by default."),
  cursor: z.string().optional().describe("nextCursor of the previous page, to go on from there."),
  limit: z.number().int().min(1).max(20).optional().describe("Books per page, 10 by default."),
});

export const SearchOutput = z.object({
  books: z.array(BookSummary),
  total: z.number().int().describe("How many books match in all."),
  nextCursor: z.string().optional().describe("Pass it back to read the next page; absent on the last one."),
});

export const StockOutput = z.object({
  bookId: z.string(),
  copies: z.number().int(),
  available: z.boolean(),
  expectedOn: z.string().optional().describe("Date a sold-out book is expected back, YYYY-MM-DD."),
});

/** Says nothing about itself on purpose; the README tells why. */
export const ShelfInfoInput = z.object({ id: z.string() });
export const ShelfInfoOutput = z.object({ bookId: z.string(), aisle: z.string(), shelf: z.string() });

export const OrderInput = z.object({
  orderReference: z
    .string()
    .min(1)
    .max(64)
    .describe("Your own name for this order; it makes repeating the call safe."),
  customer: z.string().min(1).max(120).describe("Name of the person or group the books are for."),
  items: z
    .array(z.object({ bookId, quantity: z.number().int().min(1).max(20).describe("Copies of this book.") }))
    .min(1)
    .max(10)
    .describe("What to order."),
  delivery: delivery.describe("Collect in the shop, or by post for 3.50 euros."),
});

export const OrderOutput = z.object({
  orderId: z.string(),
  orderReference: z.string(),
  customer: z.string(),
  items: z.array(z.object({ bookId: z.string(), quantity: z.number().int() })),
  delivery,
  status: z.enum(ORDER_STATES),
  placedOn: z.string(),
  expectedOn: z.string(),
  totalCents: z.number().int().describe("Books and postage, in euro cents."),
});

export const PlacedOrderOutput = OrderOutput.extend({
  repeated: z.boolean().describe("True when this reference was ordered before and nothing new happened."),
});

export const OrdersInput = z.object({
  customer: z.string().optional().describe("Part of the customer's name."),
  status: z.enum(ORDER_STATES).optional().describe("Only orders in this state."),
});
export const OrdersOutput = z.object({ orders: z.array(OrderOutput) });

export const TrackInput = z.object({
  orderId: z.string().min(1).describe('Order id such as "BK-1002", or the order reference.'),
});

export const ShelfInput = z.object({
  genre: z.enum(GENRES).optional().describe("Whose shelf to show; all by default."),
});
export const ShelfPageInput = z.object({
  genre: z.enum(GENRES).optional().describe("Whose shelf is shown."),
  cursor: z.string().describe("nextCursor of the page before."),
});
export const ShelfOutput = SearchOutput.extend({ heading: z.string() });
