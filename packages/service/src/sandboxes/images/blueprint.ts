/** @module Reads a blueprint: what an image is made of, and what an agent on it is told. Nothing in it is run here. */
import { createHash } from "node:crypto";
import { canonicalJson, must } from "@fettle/contract/formats";
import { imageBases, sandboxLimits } from "@fettle/contract/sandboxes";
import { isAlias, isMap, isNode, isScalar, isSeq, parseAllDocuments, visit } from "yaml";
import { z } from "zod";

interface Fault {
  /** Such as `initialize[0].run`; empty for the whole document. */
  path: string;
  message: string;
}

interface Blueprint {
  base: string;
  initialize: { name: string; run: string }[];
  maintenance: { name: string; run: string }[];
  knowledge: { name: string; contents: string }[];
}

export type BlueprintReading =
  | { ok: true; blueprint: Blueprint; baseImageDigest: string; contentHash: string }
  | { ok: false; errors: Fault[] };

const bases = new RegExp(
  String.raw`^(?:docker\.io/)?(?:library/)?(?:${imageBases.join("|")})(?::[\w][\w.-]{0,127})?@(sha256:[0-9a-f]{64})$`,
);

/** Says in words what is wrong with a value of another kind. */
const kind = (what: string) => ({
  error: ({ input }: { input: unknown }) =>
    input === undefined ? "This is missing." : `This must be ${what}.`,
});
/** No control character but the end of a line and a tab: a log or a terminal would obey the others. */
const isPlain = (text: string) => !/[^\P{Cc}\t\n\r]/u.test(text);
const text = (max: number) =>
  z
    .string(kind("a text"))
    .refine((value) => value.trim() !== "", "This is empty.")
    .refine((value) => value.length <= max, `This has more than ${max} characters.`)
    .refine(isPlain, "This has a control character in it.");
const name = text(sandboxLimits.entryNameLength).refine(
  (value) => !/[\r\n]/.test(value),
  "This must be one line.",
);
const entries = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .array(z.strictObject({ name, ...shape }, kind("a mapping with a name")), kind("a list"))
    .max(sandboxLimits.entries, `There are more than ${sandboxLimits.entries}.`)
    .superRefine((items, context) => {
      const names = items.map((item) => (item as { name: string }).name);
      for (const [index, one] of names.entries()) {
        if (names.indexOf(one) === index) continue;
        context.addIssue({ code: "custom", path: [index, "name"], message: `${one} is there already.` });
      }
    })
    .default([]);
const steps = entries({ run: text(sandboxLimits.runLength) });

const Document = z.strictObject(
  {
    base: z.string(kind("a text")).superRefine((value, context) => {
      const message = baseFault(value);
      if (message) context.addIssue({ code: "custom", message });
    }),
    initialize: steps,
    maintenance: steps,
    knowledge: entries({ contents: text(sandboxLimits.contentsLength) }),
  },
  kind("a mapping with `base`, and perhaps `initialize`, `maintenance` and `knowledge`"),
);

/** What is wrong is said all at once, each with its place. */
export function readBlueprint(source: string): BlueprintReading {
  const value = readYaml(source);
  if (!value.ok) return value;
  const parsed = Document.safeParse(value.value);
  if (!parsed.success) return { ok: false, errors: parsed.error.issues.flatMap(toFaults) };
  const { base, initialize } = parsed.data;
  const contentHash = createHash("sha256").update(canonicalJson({ base, initialize })).digest("hex");
  return {
    ok: true,
    blueprint: parsed.data,
    baseImageDigest: must(bases.exec(base)?.[1], "the digest of a base that was checked"),
    contentHash,
  };
}

function readYaml(source: string): { ok: true; value: unknown } | { ok: false; errors: Fault[] } {
  const fail = (message: string, path = "") => ({ ok: false as const, errors: [{ path, message }] });
  if (Buffer.byteLength(source) > sandboxLimits.blueprintBytes) {
    return fail(`The blueprint has more than ${sandboxLimits.blueprintBytes} bytes.`);
  }
  try {
    const documents = parseAllDocuments(source, { prettyErrors: false, stringKeys: true });
    const [document, second] = documents;
    if (!document) return fail("The blueprint is empty.");
    const errors = documents.flatMap(({ contents, errors: broken, warnings }) =>
      [...broken, ...warnings].map(({ message, pos: [at] }) => ({
        path: pathOf(pathAt(contents, at)),
        message: `Line ${source.slice(0, at).split("\n").length}: ${message}`,
      })),
    );
    if (errors.length > 0) return { ok: false, errors };
    if (second) return fail("There are several documents; a blueprint is one.");
    let alias: number | undefined;
    visit(document, (_key, node) => {
      if (!isAlias(node)) return undefined;
      alias = node.range?.[0] ?? 0;
      return visit.BREAK;
    });
    if (alias !== undefined) return fail(noAliases, pathOf(pathAt(document.contents, alias)));
    // No aliases: a few lines of them can unfold into gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return value === null ? fail("The blueprint is empty.") : { ok: true, value };
  } catch (error) {
    // The parser recurses, and gives up on what is nested deeply.
    return fail(error instanceof RangeError ? "The blueprint is nested too deeply." : noAliases);
  }
}

const noAliases = "The blueprint uses aliases, which are not followed.";
/** Such as `initialize`, `0`, `run`: nothing that a blueprint may hold lies deeper. */
const deepestPath = 3;

/** The key that stands at this place of the source, or was begun last before it; empty where there is none to name. */
function pathAt(node: unknown, at: number, levels = deepestPath): PropertyKey[] {
  if (levels === 0) return [];
  const isBefore = (one: unknown) => isNode(one) && one.range != null && one.range[0] <= at;
  if (isMap(node)) {
    const pair = node.items.findLast(({ key }) => isBefore(key));
    if (!pair || !isScalar(pair.key)) return [];
    return [String(pair.key.value), ...pathAt(pair.value, at, levels - 1)];
  }
  if (!isSeq(node) || levels === deepestPath) return [];
  const index = node.items.findLastIndex(isBefore);
  return index < 0 ? [] : [index, ...pathAt(node.items[index], at, levels - 1)];
}

function baseFault(base: string): string | undefined {
  if (bases.test(base)) return undefined;
  const [named = "", digest] = base.split("@", 2);
  const image = named
    .replace(/^docker\.io\//, "")
    .replace(/^library\//, "")
    .replace(/:.*$/, "");
  if (!imageBases.some((known) => known === image)) {
    return `Images are made of ${imageBases.join(", ")}, and ${image || "nothing"} is none of these.`;
  }
  if (digest === undefined) return "This is not pinned: add @sha256: and the digest of the image.";
  return "The digest is sha256: and 64 digits of hexadecimal, in lower case.";
}

function toFaults(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== "unrecognized_keys") return [{ path: pathOf(issue.path), message: issue.message }];
  return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: "Nobody knows this key." }));
}

/** @example pathOf(["initialize", 0, "run"]) // "initialize[0].run" */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}
