/** @module `docs/conformance-checks.md`: every check of every suite with its word, made from the registries. */
import { protocolAdvice, protocolCategories, type Rule, suites } from "@fettle/checks";

interface ListedCheck {
  id: string;
  description: string;
  rules: readonly Rule[];
  transports?: readonly (keyof typeof names)[] | undefined;
}

const names = { "streamable-http": "HTTP", stdio: "stdio", sse: "HTTP+SSE" };

export function checkReference(): string {
  const { protocol, ...others } = suites;
  return [
    "# Checks",
    "",
    "Every check of `fettle protocol`, `apps`, `tasks` and `oauth conformance`, with the sentence it goes by; how to read results: [conformance.md](conformance.md).",
    "Made from the registries by `npm run generate`.",
    "",
    "| word | means | decides a run |",
    "|---|---|---|",
    "| MUST | the text demands it (MUST NOT, REQUIRED and SHALL too) | yes |",
    "| schema | the published schema or types demand it | yes |",
    "| SHOULD, MAY | the text advises or allows it | no: advice |",
    "| contract | the official suite's fixtures promise it, beyond the text | with `--fixture-profile official`; else a note |",
    "| inferred | no text, but a reason | no: a note that costs nothing |",
    "",
    ...protocolCategories.flatMap((category) =>
      section(
        `Protocol: ${category}`,
        protocol.checks.filter((check) => check.category === category),
      ),
    ),
    ...section(
      "Protocol: advice beside the checks",
      protocolAdvice.map(({ title, ...adviser }) => ({ ...adviser, description: title })),
    ),
    ...Object.values(others).flatMap(({ title, checks }) => section(title, checks)),
  ].join("\n");
}

function section(title: string, checks: readonly ListedCheck[]): string[] {
  return [
    `## ${title}`,
    "",
    "| check | word | asks | specification |",
    "|---|---|---|---|",
    ...checks.map(({ id, description, rules, transports }) => {
      const where = transports ? ` (${transports.map((transport) => names[transport]).join(", ")})` : "";
      const words = wordsOf(rules).map(
        ({ word, editions }) => `${word}${editions === "" ? "" : ` ${editions}`}`,
      );
      const links = linksOf(rules).map(({ title: name, url }) => `[${name}](${url})`);
      return `| \`${id}\` | ${words.join("; ")}${where} | ${description} | ${links.join("; ")} |`;
    }),
    "",
  ];
}

/** Revisions in a row that say it equally strongly are one entry. */
export function wordsOf(rules: readonly Rule[]): { word: string; editions: string }[] {
  const groups = Map.groupBy(rules, ({ word }) => word);
  return [...groups].map(([word, group]) => {
    const bound = group.flatMap(({ binds = [] }) => binds);
    const [first, last] = [bound[0], bound.at(-1)];
    return { word, editions: first === undefined ? "" : first === last ? first : `${first} to ${last}` };
  });
}

/** The newest address of each sentence. */
export function linksOf(rules: readonly Rule[]): Rule[] {
  const byPath = Map.groupBy(rules, ({ url, revision }) => url.replace(revision, ""));
  return [...byPath.values()].flatMap((group) => group.slice(-1));
}
