/**
 * What can be read in the shop: opening hours, book pages, genre lists, the shelf widget; and the one prompt.
 * @module
 */
import {
  completable,
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { BOOKS, type Book, GENRES } from "./books.ts";
import { SHELF_WIDGET_HTML, SHELF_WIDGET_URI, WIDGET_MIME_TYPE } from "./widget.ts";

const HOURS = `# Opening hours

| day | open |
|---|---|
| Monday | closed |
| Tuesday to Friday | 10:00 to 18:30 |
| Saturday | 9:30 to 17:00 |
| Sunday | 12:00 to 16:00 |

12 Harbour Lane, beside the lantern. Orders to collect are kept for two weeks.
`;

const MOODS = ["adventurous", "cosy", "curious", "hungry", "melancholy", "restless"];

const RecommendArguments = z.object({
  reader: z.string().describe("Who will read, such as: my grandfather, who loves ships."),
  mood: completable(z.string().describe("The mood to suit."), (typed) =>
    MOODS.filter((mood) => mood.startsWith(typed)),
  ),
  budgetEuros: z.string().optional().describe("Highest price per book, in euros."),
});

export function addReading(server: McpServer): void {
  server.registerResource(
    "opening-hours",
    "bookshop://hours",
    { title: "Opening hours", description: "When and where the shop is open.", mimeType: "text/markdown" },
    (uri) => markdown(uri, HOURS),
  );

  server.registerResource(
    "book",
    new ResourceTemplate("bookshop://books/{bookId}", {
      list: () => ({
        resources: BOOKS.map((book) => ({
          uri: `bookshop://books/${book.id}`,
          name: book.id,
          title: book.title,
          description: `By ${book.author}, ${book.year}.`,
        })),
      }),
      complete: {
        bookId: (typed) => BOOKS.map((book) => book.id).filter((id) => id.startsWith(typed)),
      },
    }),
    { title: "Book page", description: "The page of one book in the catalogue.", mimeType: "text/markdown" },
    (uri, { bookId }) => {
      const book = BOOKS.find(({ id }) => id === bookId);
      if (!book) throw new ResourceNotFoundError(uri.href);
      return markdown(uri, bookPage(book));
    },
  );

  server.registerResource(
    "genre",
    new ResourceTemplate("bookshop://genres/{genre}", {
      list: undefined,
      complete: { genre: (typed) => GENRES.filter((genre) => genre.startsWith(typed)) },
    }),
    { title: "Genre list", description: "Every book of one genre.", mimeType: "text/markdown" },
    (uri, { genre }) => {
      const books = BOOKS.filter((book) => book.genre === genre);
      if (books.length === 0) throw new ResourceNotFoundError(uri.href);
      return markdown(
        uri,
        books.map((book) => `- ${book.title}, ${book.author} (\`${book.id}\`)`).join("\n"),
      );
    },
  );

  server.registerResource(
    "shelf-widget",
    SHELF_WIDGET_URI,
    { title: "Bookshelf", description: "A browsable shelf of book covers.", mimeType: WIDGET_MIME_TYPE },
    () => ({
      contents: [
        {
          uri: SHELF_WIDGET_URI,
          mimeType: WIDGET_MIME_TYPE,
          text: SHELF_WIDGET_HTML,
          // The page loads nothing from anywhere, and says so.
          _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
        },
      ],
    }),
  );

  server.registerPrompt(
    "recommend_books",
    {
      title: "Recommend books",
      description: "Asks for three books from the catalogue that suit a reader and a mood.",
      argsSchema: RecommendArguments,
    },
    ({ reader, mood, budgetEuros }) => ({
      description: `Three books for ${reader}`,
      messages: [
        {
          role: "user",
          content: {
            type: "text",
            text: [
              `Recommend three books from the catalogue for ${reader}, in a ${mood} mood.`,
              budgetEuros && `No book may cost more than ${budgetEuros} euros.`,
              "Search the catalogue, check that each book is in stock, and give one sentence of reason for each.",
            ]
              .filter(Boolean)
              .join(" "),
          },
        },
      ],
    }),
  );
}

function markdown(uri: URL, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
}

function bookPage(book: Book): string {
  return `# ${book.title}

${book.author}, ${book.year}. ${book.genre}, ${book.pages} pages, €${(book.priceCents / 100).toFixed(2)}.

${book.blurb}
`;
}
