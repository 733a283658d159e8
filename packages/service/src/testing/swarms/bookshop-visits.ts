/** @module Visits to the sample bookshop, written down as people of several tempers would talk to its assistant. Played and recorded, they are the set that calibrations begin with. */

export interface WrittenVisit {
  id: string;
  /** The first says what they came for. Then they leave. */
  says: readonly string[];
}

const visit = (id: string, ...says: string[]): WrittenVisit => ({ id, says });

export const bookshopVisits: readonly WrittenVisit[] = [
  visit("tin", 'Search books for "tin"'),
  visit("sea", 'Search books about "harbour"', "thanks!"),
  visit("bees", 'Do you have books about "bees"?', 'Then search books for "moss"'),
  visit("bread", 'I would like to find books about "bread" please'),
  visit("owls", 'search books "owls"'),
  visit("trains", 'Find me a book about "trains"', "Great, thank you"),
  visit(
    "stock-by-title",
    'Check the stock of the book "Tin Swallows"',
    'Search books for "Tin Swallows"',
    'Check the stock of the book with bookId = "tin-swallows"',
  ),
  visit("stock-gives-up", 'Check the stock of "Small Weather"'),
  visit("stock-asks-twice", 'Is the book "Tide Table" in stock?', 'Check the stock of "Tide Table"'),
  visit("stock-by-id", 'Check the stock of the book with bookId = "tide-table"'),
  visit("stock-sold-out", 'Check the stock of the book with bookId = "the-quiet-verdict"', "ok, thanks"),
  visit("shelf", 'On which shelf does "Tin Swallows" stand?', 'Where does the book "Tin Swallows" stand?'),
  visit("shelf-gives-up", 'On which shelf is "Moss: A Love Story"?'),
  visit("shelf-by-name", 'Use shelf_info with id = "small-weather"'),
  visit("details", 'Get the book with bookId = "small-weather"'),
  visit(
    "details-by-title",
    'Get the book "The Lemon Year"',
    'Get the book with bookId = "the-lemon-year"',
    "perfect",
  ),
  visit("orders", "List my orders"),
  visit("track", "Track order BK-1001", "thanks"),
  visit("track-unknown", "Track order BK-9999", "Track order BK-9998"),
  visit("poem", "Write me a poem about rain", "Then never mind"),
  visit("poetry", 'Search books about "rain"'),
  visit(
    "wanders",
    'Search books for "bells"',
    'Get the book with bookId = "a-short-history-of-bells"',
    'Check the stock of the book with bookId = "a-short-history-of-bells"',
  ),
  visit("cookery", 'Find books about "lemon"', 'Search books for "broth"'),
  visit("hello", "Hello", 'Search books for "cats"'),
];
