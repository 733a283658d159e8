/** @module Reads the bytes of a suite file into a value, and finds the line of any path in it. Nothing is cut, guessed or repaired. */
import { limits } from "@fettle/contract/core";
import type { SuiteFindingCode } from "@fettle/contract/evals";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from "yaml";

export type Path = readonly (string | number)[];

export interface Location {
  line: number;
  column: number;
}

export interface DocumentFault {
  code: SuiteFindingCode;
  path: Path;
  message: string;
  location?: Location;
}

/** The lines something stands on. */
export interface Extent {
  line: number;
  endLine: number;
}

export type Reading =
  | {
      ok: true;
      value: unknown;
      locate(path: Path): Location | undefined;
      extent(path: Path): Extent | undefined;
    }
  | { ok: false; faults: DocumentFault[] };

export function readDocument(bytes: Uint8Array): Reading {
  const { maxBytes, maxAliases } = limits.suiteFile;
  if (bytes.byteLength > maxBytes) {
    return refused("SUITE_FILE_TOO_LARGE", `The file has more than ${maxBytes} bytes.`);
  }
  const text = decode(bytes);
  if (text === undefined) return refused("SUITE_FILE_YAML_INVALID", "The file is not UTF-8 text.");
  const lines = new LineCounter();
  const at = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  try {
    const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    if (documents.length === 0) return refused("SUITE_FILE_EMPTY", "The file is empty.");
    const problems = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
    // The parser recurses, and some of its ways to run out of stack become problems like any other.
    if (problems.some(({ message }) => /stack (size|overflow)/i.test(message))) return tooDeep();
    if (problems.length > 0) {
      const code = "SUITE_FILE_YAML_INVALID";
      const faults = problems.map(
        ({ message, pos }) => ({ code, path: [], message, location: at(pos[0]) }) as const,
      );
      return { ok: false, faults };
    }
    const [document, second] = documents;
    if (document === undefined) return refused("SUITE_FILE_EMPTY", "The file is empty.");
    if (second !== undefined) {
      return refused(
        "SUITE_FILE_MULTIPLE_DOCUMENTS",
        "The file holds several documents; a suite is one.",
        at(second.range[0]),
      );
    }
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) {
      return refused("SUITE_FILE_EMPTY", "The file is empty.");
    }
    const deep = tooDeepNode(document);
    if (deep) return tooDeep(deep.range ? at(deep.range[0]) : undefined);
    const unusable: DocumentFault[] = [];
    visit(document, {
      // The parser's own search for a second one compares each key with all before it: a large file would take minutes.
      Map(_, { items }) {
        const seen = new Set<unknown>();
        for (const { key } of items) {
          if (!isScalar(key) || !seen.has(key.value)) {
            if (isScalar(key)) seen.add(key.value);
            continue;
          }
          const message = `"${key.value}" stands here twice.`;
          unusable.push({
            code: "SUITE_FILE_YAML_INVALID",
            path: [],
            message,
            ...(key.range && { location: at(key.range[0]) }),
          });
        }
      },
      Alias(_, alias, above) {
        const named = alias.resolve(document);
        if (named === undefined || !above.includes(named)) return;
        const message = "This alias stands inside what it names, so that it never ends.";
        unusable.push({
          code: "SUITE_FILE_YAML_INVALID",
          path: [],
          message,
          ...(alias.range && { location: at(alias.range[0]) }),
        });
      },
      Scalar(_, { value, range }) {
        if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
          const message = "This number loses digits when it is read; write it as text, in quotes.";
          unusable.push({
            code: "SUITE_FILE_YAML_INVALID",
            path: [],
            message,
            ...(range && { location: at(range[0]) }),
          });
        }
      },
      Pair(_, { key }) {
        const isText = isScalar(key) && typeof key.value === "string";
        // Of an older YAML; taken for a field's name it would make findings that explain nothing.
        const isMerge = isScalar(key) && key.value === "<<" && key.type === "PLAIN";
        if (isText && !isMerge) return;
        const message = isMerge
          ? "A merge key is not read: write the fields out, or repeat a whole value by its anchor."
          : "A key is a text; write it in quotes.";
        const offset = (key as Node | null)?.range?.[0];
        unusable.push({
          code: "SUITE_FILE_YAML_INVALID",
          path: [],
          message,
          ...(offset !== undefined && { location: at(offset) }),
        });
      },
    });
    if (unusable.length > 0) return { ok: false, faults: unusable };
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    const pairs = pairFinder();
    const find = (path: Path) =>
      findNode(contents, path, pairs, (node) => (isAlias(node) ? node.resolve(document) : node));
    const locate = (path: Path) => {
      const { offset } = find(path);
      return offset === undefined ? undefined : at(offset);
    };
    const extent = (path: Path) => {
      const { offset, end } = find(path);
      // The end is behind the last line break, where there is one.
      return offset === undefined || end === undefined
        ? undefined
        : { line: at(offset).line, endLine: at(Math.max(offset, end - 1)).line };
    };
    return { ok: true, value, locate, extent };
  } catch (error) {
    // Aliases beyond the bound come as a ReferenceError.
    return error instanceof RangeError ? tooDeep() : refused("SUITE_FILE_YAML_INVALID", unexplained(error));
  }
}

function tooDeep(location?: Location): Reading {
  const message = `The file is nested more than ${limits.suiteFile.maxDepth} levels deep.`;
  return refused("SUITE_FILE_YAML_INVALID", message, location);
}

/** The first list or mapping below the bound; whether it is found must not depend on how much stack there is. */
function tooDeepNode(document: Document): Node | undefined {
  let found: Node | undefined;
  visit(document, {
    Collection(_, node, above) {
      if (above.filter(isCollection).length < limits.suiteFile.maxDepth) return undefined;
      found = node;
      return visit.BREAK;
    },
  });
  return found;
}

function unexplained(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /alias/i.test(message)
    ? `The file repeats anchors more than ${limits.suiteFile.maxAliases} times.`
    : message;
}

function refused(code: SuiteFindingCode, message: string, location?: Location): Reading {
  return { ok: false, faults: [{ code, path: [], message, ...(location && { location }) }] };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

type PairFinder = (map: YAMLMap, key: string | number) => Pair | undefined;

/** Each mapping is indexed once, however many findings are in it. */
function pairFinder(): PairFinder {
  const indexes = new Map<YAMLMap, Map<unknown, Pair>>();
  return (map, key) => {
    const index =
      indexes.get(map) ??
      new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : pair.key, pair]));
    indexes.set(map, index);
    return index.get(key);
  };
}

/** Where a path begins; of a path that does not exist, where the nearest thing around it begins. */
function findNode(
  root: Node,
  path: Path,
  pairOf: PairFinder,
  resolve: (node: Node) => Node | undefined,
): { offset: number | undefined; end: number | undefined } {
  let node: Node | undefined = resolve(root);
  let offset = root.range?.[0];
  let end = root.range?.[1];
  for (const part of path) {
    if (isMap(node)) {
      const pair = pairOf(node, part);
      if (!pair) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      end = (pair.value as Node | null)?.range?.[1] ?? end;
      node = pair.value ? resolve(pair.value as Node) : undefined;
    } else if (isSeq(node) && typeof part === "number") {
      const item = node.items[part] as Node | undefined;
      if (!item) break;
      offset = item.range?.[0] ?? offset;
      end = item.range?.[1] ?? end;
      node = resolve(item);
    } else {
      break;
    }
  }
  return { offset, end };
}
