/** @module Checks of caching hints: what may be kept, for how long, and by whom. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { spec, stateless } from "../../verdict/specification.ts";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import type { ProtocolSeen } from "../seen.ts";
import type { SeenList } from "./observe.ts";

const needs = ["opening", "tools", "prompts", "resources", "resourceTemplates", "reads"] as const;

const caching = { category: "protocol" } as const;

export const cacheChecks: ProtocolCheck[] = [
  {
    ...caching,
    id: "modern-cache-hint-coverage",
    title: "Says how long its answers keep",
    description: "Complete results of discovery, the lists and resource reads carry ttlMs and cacheScope.",
    needs,
    rules: [...spec("MUST", stateless, "Cacheable results", "server/utilities/caching#cacheable-results")],
    judge(seen) {
      const { results, unread } = hinted(seen);
      const bare = results.filter(
        ({ result }) => result.ttlMs === undefined || result.cacheScope === undefined,
      );
      if (bare.length === 0 && unread.length > 0) {
        return couldNotRun(`Advertised, but not answered with a result: ${unread.join(", ")}.`);
      }
      return judged(
        bare.map(({ method, result }) => {
          const missing = ["ttlMs", "cacheScope"].filter((name) => result[name] === undefined);
          return `${method} lacks ${missing.join(" and ")}`;
        }),
        bare.map(({ exchange }) => exchange),
        { operations: [...new Set(results.map(({ method }) => method))] },
      );
    },
  },
  {
    ...caching,
    id: "modern-cache-hint-values-valid",
    title: "Says it in values that mean something",
    description: "ttlMs is a whole number of at least 0, cacheScope is public or private.",
    needs,
    rules: [...spec("MUST", stateless, "Time to live", "server/utilities/caching#time-to-live-ttl-field")],
    judge(seen) {
      const given = hinted(seen).results.filter(
        ({ result }) => result.ttlMs !== undefined || result.cacheScope !== undefined,
      );
      if (given.length === 0) return notApplicable("No result carries a caching hint.");
      const wrong = given
        .map((item) => ({ ...item, faults: valueFaults(item.result) }))
        .filter(({ faults }) => faults.length > 0);
      return judged(
        wrong.map(({ method, faults }) => `${method}: ${faults.join(", ")}`),
        wrong.map(({ exchange }) => exchange),
      );
    },
  },
  {
    ...caching,
    id: "modern-cache-scope-stable-across-pages",
    title: "Keeps one scope over all pages of a list",
    description: "All pages of a list have the same cacheScope.",
    rules: [
      ...spec(
        "MUST",
        stateless,
        "Interaction with pagination",
        "server/utilities/caching#interaction-with-pagination",
      ),
    ],
    needs: ["tools", "prompts", "resources", "resourceTemplates"],
    judge({ tools, prompts, resources, resourceTemplates }) {
      const paged = [tools, prompts, resources, resourceTemplates].filter(({ pages }) => pages.length > 1);
      const [first] = paged;
      if (!first) return notApplicable("No list has more than one page.");
      const faults = paged.flatMap(({ method, pages }) => {
        const scopes = new Set(pages.map((page) => resultOf(page)?.cacheScope));
        return scopes.size > 1 ? [`${method} says ${[...scopes].map(String).join(" and ")}`] : [];
      });
      return judged(faults, faults.length > 0 ? first.pages.slice(0, 2) : []);
    },
  },
];

interface Hinted {
  method: string;
  result: JsonObject;
  exchange: Exchange;
}

/** Complete results that must carry hints, and the advertised operations that gave none to look at. */
function hinted({ opening, tools, prompts, resources, resourceTemplates, reads }: ProtocolSeen): {
  results: Hinted[];
  unread: string[];
} {
  const lists: SeenList[] = [tools, prompts, resources, resourceTemplates].filter(
    ({ isAdvertised }) => isAdvertised,
  );
  const exchanges = [
    opening.exchange,
    ...lists.flatMap(({ pages }) => pages),
    ...(resources.isAdvertised ? reads.map(({ exchange }) => exchange) : []),
  ];
  const results = exchanges.flatMap((exchange): Hinted[] => {
    const result = resultOf(exchange);
    const isInterim = result?.resultType === "input_required";
    return result && !isInterim ? [{ method: exchange.method ?? "", result, exchange }] : [];
  });
  const answered = new Set(results.map(({ method }) => method));
  const wanted = ["server/discover", ...lists.map(({ method }) => method)];
  return { results, unread: wanted.filter((method) => !answered.has(method)) };
}

function valueFaults({ ttlMs, cacheScope }: JsonObject): string[] {
  return [
    ...faultUnless(
      ttlMs === undefined || (typeof ttlMs === "number" && Number.isInteger(ttlMs) && ttlMs >= 0),
      `ttlMs is ${shownValue(ttlMs)}`,
    ),
    ...faultUnless(
      cacheScope === undefined || cacheScope === "public" || cacheScope === "private",
      `cacheScope is ${shownValue(cacheScope)}`,
    ),
  ];
}

function shownValue(value: unknown): string {
  return isObject(value) ? "an object" : String(JSON.stringify(value)).slice(0, 40);
}
