/**
 * The forty books the shop sells. All of them, and their authors, are invented; the list never changes by itself.
 * @module
 */

export const GENRES = [
  "mystery",
  "science-fiction",
  "history",
  "poetry",
  "cookery",
  "children",
  "nature",
  "travel",
] as const;
export type Genre = (typeof GENRES)[number];

export interface Book {
  id: string;
  title: string;
  author: string;
  year: number;
  genre: Genre;
  pages: number;
  priceCents: number;
  /** Copies on the shelf when the shop opens; 0 means the book is being reprinted. */
  copies: number;
  /** Where it stands, such as "A3": aisle A, third shelf. */
  shelf: string;
  blurb: string;
}

// title | author | year | genre | pages | price in cents | copies | shelf | blurb
const TABLE = `
The Lamplighter's Ledger | Odile Marchetti | 2019 | mystery | 312 | 1299 | 14 | A1 | A harbour town's lamps go out one by one, and each outage is entered in a dead man's book before it happens.
Seven Keys to Quill Street | Tobias Hern | 2021 | mystery | 288 | 1199 | 9 | A1 | Seven tenants, seven keys, one locked cellar that none of them admits to having opened.
The Quiet Verdict | Amara Linwood | 2016 | mystery | 354 | 1099 | 0 | A1 | A juror who cannot speak knows what the other eleven will not hear.
Murder at the Paper Mill | Tobias Hern | 2018 | mystery | 276 | 999 | 11 | A2 | The watermark on a ransom note leads two sisters back to the mill their family sold.
A Cold Cup for Inspector Vale | Rosalind Achterberg | 2023 | mystery | 301 | 1499 | 20 | A2 | Vale retires on Friday. The body arrives on Thursday.
The Orchard Below | Imre Castellane | 2020 | science-fiction | 418 | 1599 | 12 | B1 | Under the ice of a moon, gardeners keep alive the last apple trees and an old promise.
Tin Swallows | Priya Novak-Ellis | 2022 | science-fiction | 336 | 1399 | 16 | B1 | Migrating machines have crossed the continent every autumn for a century. This year they stop.
The Cartographer of Static | Priya Novak-Ellis | 2017 | science-fiction | 390 | 1299 | 7 | B1 | She maps radio silence for a living, until the silence maps her back.
Half a Century of Tuesday | Joss Wendell | 2024 | science-fiction | 265 | 1199 | 18 | B2 | A town wakes on the same Tuesday for fifty years and slowly learns to be kind.
Letters from the Second Sun | Imre Castellane | 2015 | science-fiction | 447 | 1099 | 0 | B2 | Correspondence between two siblings whose ships fly in opposite directions.
Salt Roads of the North | Greta Holmqvist | 2014 | history | 512 | 2199 | 6 | C1 | How a thousand years of salt built the towns, feuds and kitchens of a cold coast.
The Clockmakers' Winter | Benedikt Aurelio | 2019 | history | 367 | 1799 | 8 | C1 | One guild, one famine, and the season in which a city learned to share its time.
A Short History of Bells | Nora Quillfeather | 2021 | history | 198 | 1299 | 22 | C1 | Bells have called, warned, mourned and lied. A small book about a loud thing.
Weavers and Kings | Greta Holmqvist | 2018 | history | 463 | 1999 | 5 | C2 | The loom beside the throne: cloth, credit and power in four forgotten courts.
The Ferry Years | Samuel Okonjo-Reid | 2023 | history | 334 | 1699 | 10 | C2 | Before the bridges, everything crossed by boat, including the news.
Small Weather | Lucía Farrow | 2020 | poetry | 84 | 899 | 15 | D1 | Forty poems about rain indoors.
The Moth's Apprentice | Lucía Farrow | 2023 | poetry | 96 | 999 | 13 | D1 | Poems that keep circling the same lamp and find it different each time.
Inventory of a Borrowed House | Daniel Mbeki-Strand | 2017 | poetry | 72 | 799 | 0 | D1 | A sonnet for every object in a house that belongs to someone else.
Tide Table | Wren Halloran | 2022 | poetry | 110 | 1099 | 12 | D1 | Twelve months on one beach, two poems a day, most of them short.
Bread Before Dawn | Marguerite Oyelaran | 2021 | cookery | 224 | 2499 | 17 | E1 | Forty loaves for people who get up too early, and ten for those who do not.
The Patient Stockpot | Hugo Brandvold | 2018 | cookery | 256 | 2299 | 9 | E1 | Broths, braises and the art of leaving things alone.
Pickle, Smoke, Wait | Hugo Brandvold | 2024 | cookery | 208 | 2399 | 14 | E1 | Three verbs that keep a winter larder interesting.
Suppers for a Small Table | Marguerite Oyelaran | 2019 | cookery | 192 | 1999 | 21 | E2 | Sixty dinners for two that leave nothing in the fridge.
The Lemon Year | Chiara Donnelly | 2022 | cookery | 176 | 2199 | 4 | E2 | One fruit, twelve months, seventy recipes.
Pim and the Paper Whale | Elke Santangelo | 2020 | children | 40 | 1199 | 25 | F1 | Pim folds a whale, the whale wants the sea, and the sea is three bus stops away.
The Hedgehog Who Kept Accounts | Elke Santangelo | 2023 | children | 48 | 1299 | 19 | F1 | Every acorn written down, every friend forgotten, until the ledger gets wet.
Nell Builds a Bridge | Jonah Petrovic | 2018 | children | 56 | 999 | 16 | F1 | A stream, four planks and a goat with opinions.
Goodnight, Tugboat | Mina Arkwright | 2016 | children | 32 | 899 | 0 | F1 | The harbour goes to sleep, one light at a time.
The Secret Office of Cats | Jonah Petrovic | 2024 | children | 128 | 1099 | 23 | F2 | Where do they go at noon? To work, of course.
A Field Guide to Puddles | Ottoline Barrow | 2021 | nature | 160 | 1499 | 12 | G1 | What lives, drinks, drowns and mates in water that is gone by evening.
The Patience of Lichen | Ottoline Barrow | 2017 | nature | 240 | 1699 | 8 | G1 | A life spent watching things that grow a millimetre a year.
Owls of the Inner City | Kwame Delacroix | 2023 | nature | 288 | 1899 | 10 | G1 | Night walks on rooftops with the birds that moved in while we slept.
Moss: A Love Story | Ingrid Vasquez-Thorne | 2019 | nature | 212 | 1599 | 0 | G1 | A botanist, a bog and thirty years of wet knees.
The River Keeps Its Own Time | Kwame Delacroix | 2020 | nature | 304 | 1799 | 7 | G2 | From spring to estuary on foot, in every season but the sensible one.
Slow Trains to Anywhere | Fergus Adeyemi | 2022 | travel | 276 | 1399 | 18 | H1 | Forty-one branch lines, nine countries, no hurry.
The Island at the End of the Post | Solveig Marchetti | 2018 | travel | 232 | 1299 | 11 | H1 | A year with the person who delivers letters to the farthest house.
Breakfast in Border Towns | Fergus Adeyemi | 2024 | travel | 248 | 1499 | 15 | H1 | What people eat where two countries meet, and what they say about the other side.
Walking Home by the Wrong Road | Lena Iversholt | 2016 | travel | 320 | 1199 | 6 | H1 | She turned left instead of right, and kept doing so for eight hundred miles.
Harbour Light, Harbour Dark | Solveig Marchetti | 2021 | travel | 264 | 1599 | 9 | H2 | Twelve ports, visited once at noon and once at midnight.
The Desert Has a Timetable | Lena Iversholt | 2023 | travel | 292 | 1699 | 13 | H2 | Buses, camels and the patience of people who wait for both.
`;

export const BOOKS: readonly Book[] = TABLE.trim().split("\n").map(toBook);

function toBook(line: string): Book {
  const [title, author, year, genre, pages, priceCents, copies, shelf, blurb] = line.split(" | ") as [
    string,
    string,
    string,
    Genre,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    id: slug(title),
    title,
    author,
    year: Number(year),
    genre,
    pages: Number(pages),
    priceCents: Number(priceCents),
    copies: Number(copies),
    shelf,
    blurb,
  };
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
