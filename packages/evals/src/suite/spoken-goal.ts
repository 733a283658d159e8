/** @module What somebody would say who wants what a tool does, and knows no names of tools: an order, that stands as well after "I would like to". Pure. */
import { terms, verbClasses } from "@fettle/contract/formats";
import { swarmLimits } from "@fettle/contract/visitors";
import { isObject, type Tool } from "@fettle/mcp";
import { isSought, type Samples } from "./tool-ground.ts";

/** What a goal by a tool's description may be long, and still be said in one breath. */
const fewestWords = 2;
const mostWords = 16;
/** Characters of a description in which its first sentence is looked for. */
const mostRead = 400;

/**
 * @example
 * spokenGoal({ name: "search_books", description: "Searches the catalogue." }, [["query", "bees"]], names) // 'Search the catalogue for "bees"'
 */
export function spokenGoal(tool: Tool, samples: Samples, toolNames: ReadonlySet<string>): string {
  return goalOf(orderOf(tool, toolNames), samples);
}

/** An order with what is wanted in it. */
export function goalOf(order: string, samples: Samples): string {
  const [sample] = samples;
  // "the pages that this page links to" is said with the page's own name.
  const isPointed = sample !== undefined && pointed.test(order);
  const said = isPointed ? order.replace(pointed, (_, noun) => `the ${noun} ${shownAs(sample[1])}`) : order;
  const details = detailsOf(order, isPointed ? samples.slice(1) : samples);
  return `${said}${details}`.slice(0, swarmLimits.journeyGoalLength);
}

/** By what the tool says of itself, where that is a sentence a person would say; else by its name. */
export function orderOf(tool: Tool, toolNames: ReadonlySet<string>): string {
  return describedOrders(tool, toolNames, 1)[0] ?? titledOrder(tool, toolNames) ?? namedOrder(tool);
}

/** Sentences of a description that say what it does; what follows is advice to models. */
const mostSentences = 3;

/** Every order that the tool's description and name give, the best first. */
export function ordersOf(tool: Tool, toolNames: ReadonlySet<string>): string[] {
  const described = describedOrders(tool, toolNames, mostSentences);
  return [...described, titledOrder(tool, toolNames) ?? namedOrder(tool)];
}

/** Words that speak of the machine rather than of what somebody wants. */
const shopTalk =
  /[`"“”'_<>{}[\]]|https?:|\b(?:mcp|tool|tools|api|json|endpoint|parameter|input|output|schema|widget|client|server|demonstrates?)\b/i;
/** Stands for a value that the goal itself says. */
const standIn =
  /\s+(?:based on|matching|given|using|by|with|for|from|in|at) (?:an?|the|some|its|their|your)? ?(?:given |search |specific |specified |user'?s? |provided )?(?:quer(?:y|ies)|keywords?|patterns?|ids?|identifiers?|names?|terms?|texts?|strings?|urls?|paths?|topics?)$/i;
/** What follows when the matter is said: nobody asks for all of it by name. What points at a value stays. */
const aside =
  /(?<=^\S+(?: \S+){2,}) (?:with|that|which|including|along|zoomed|based|depending|so that|in order|and its|and their)\b(?!.*\bthis \p{L}).*$/u;
const byMeans = /\s+using \p{Lu}\S*$/u;
const pointed = /\bthis (\p{L}+)/u;
const pointing = /\b(?:the|an?) (?:given|specified|provided|supplied|requested) (\p{L}+)/giu;

function describedOrders({ description }: Tool, toolNames: ReadonlySet<string>, most: number): string[] {
  if (typeof description !== "string") return [];
  const sentences = description
    .slice(0, mostRead)
    .trim()
    .split(/(?<=[.!?])\s|[\n;:(]|[.!?]$/);
  return sentences
    .slice(0, most)
    .flatMap(
      (sentence) =>
        [sentence, sentence.replace(/, .*/s, "")]
          .map((said) => sentenceAsOrder(said, toolNames))
          .find(Boolean) ?? [],
    );
}

function sentenceAsOrder(sentence: string, toolNames: ReadonlySet<string>): string | undefined {
  const [first = "", ...rest] = sentence
    .replace(/[.,!?\s]+$/, "")
    .replace(standIn, "")
    .replace(byMeans, "")
    .replace(pointing, "this $1")
    .replace(aside, "")
    .split(/\s+/);
  const verb = asOrder(first);
  const words = [verb, ...rest];
  if (verb === undefined || words.length < fewestWords || words.length > mostWords) return undefined;
  const order = words.join(" ");
  const namesTool = words.some((word) => toolNames.has(String(word)));
  return shopTalk.test(order) || namesTool ? undefined : order;
}

/** What machines do, and the word that people have for it. */
const plainWords: Record<string, string> = { Return: "Get", Retrieve: "Get", Fetch: "Get", Query: "Search" };
/** Besides those that the rules know by their kind. */
const moreVerbs = new Set(
  (
    "play place translate compare explain plan order buy track resolve echo print toggle trigger compress start stop run simulate validate " +
    "test ask import export upload download save log rate review analyze estimate predict recommend suggest solve evaluate " +
    "perform navigate click press type hover drag drop wait close resize take capture fork merge submit approve handle enable " +
    "disable attach connect fill select reload scroll"
  ).split(" "),
);

/** @example asOrder("Returns") // "Get" */
function asOrder(word: string): string | undefined {
  const [stem = ""] = terms(word);
  const isVerb = stem === "return" || verbClasses([stem]).size > 0 || moreVerbs.has(stem);
  if (!isVerb || !/^\p{L}+$/u.test(word) || /(?:ing|ed)$/.test(word)) return undefined;
  const plain = capital(word.toLowerCase().replace(/(?<=ch|sh|x|ss|o)es$|(?<![su])s$/, ""));
  return plainWords[plain] ?? plain;
}

/** A title is short, and an order all the same: "Take a screenshot". */
function titledOrder({ title, annotations }: Tool, toolNames: ReadonlySet<string>): string | undefined {
  const said = [title, isObject(annotations) ? annotations.title : undefined].find(
    (one) => typeof one === "string",
  );
  // "List All Books" is written as titles are, and nobody speaks so.
  const plain = said?.replace(/(?<=\s)\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
  return plain === undefined ? undefined : sentenceAsOrder(plain.replace(/\s*\(.*?\)/g, ""), toolNames);
}

function namedOrder({ name }: Tool): string {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word, at, all) => word !== "" && !(at === all.length - 1 && /^(?:of|for|by|from)$/.test(word)));
  const [first = name, ...rest] = words;
  const verb = asOrder(first);
  const thing = (verb ? rest : words).join(" ");
  if (thing === "") return verb ?? capital(name);
  // Of one thing people say "the": get the book, list books.
  const isOne = !/^(?:all|every)\b|(?<!s)s$/.test(thing);
  return `${verb ?? "Get"} ${isOne ? "the " : ""}${thing}`;
}

const capital = (word: string) => (word[0] ?? "").toUpperCase() + word.slice(1);

/** What is said as it is, with no word for it. */
const words = /^(?:message|text|content|body|prompt|question)$/i;
const place = /^(?:city|location|place|country|region|town)$/i;
const address = /^(?:url|uri|link|page|website)$/i;

function detailsOf(order: string, samples: Samples): string {
  const nameless = samples.filter(([name]) => name.length === 1);
  const named = samples.filter(([name]) => name.length > 1 && !words.test(name));
  const told = named.map(([name, value]) => {
    const shown = shownAs(value);
    if (isSought.test(name)) return asked(order, shown);
    if (place.test(name)) return `in ${shown}`;
    if (address.test(name)) return `for ${shown}`;
    return `with ${labelOf(name)} ${shown}`;
  });
  // "with the colour red, the size 4 and the price 9" rather than "with … with …".
  const joined = told.map((one, at) => {
    if (!one.startsWith("with ") || !told[at - 1]?.startsWith("with ")) return ` ${one}`;
    return told[at + 1]?.startsWith("with ") ? `, ${one.slice(5)}` : ` and ${one.slice(5)}`;
  });
  const values = nameless.length > 0 ? `, ${nameless.map(([, value]) => shownAs(value)).join(" and ")}` : "";
  const texts = samples.filter(([name]) => words.test(name)).map(([, value]) => shownAs(value));
  const said =
    texts.length === 0 ? "" : `${samples.length > texts.length ? ": " : " "}${texts.join(" and ")}`;
  return `${values}${joined.map((one) => one.replace(/^ :/, ":")).join("")}${said}`;
}

function asked(order: string, shown: string): string {
  if (/\bfor\b/.test(order)) return `: ${shown}`;
  return /^(?:Search|Find|Look)\b/.test(order) && order.includes(" the ") ? `for ${shown}` : `about ${shown}`;
}

const labelOf = (name: string) =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();

function shownAs(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownAs).join(" and ");
  return typeof value === "string" ? `"${value}"` : String(value);
}
