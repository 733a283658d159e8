/** @module The declared commands as a tree of words, which the parser, help, completion and the reference walk. */
import type { Command, CommandNode, Group } from "./command.ts";
import type { FlagTable } from "./flag.ts";
import { credentialFlags, globalFlags } from "./shared-flags.ts";

/** Throws when a command stands in a group that is not declared: the registry is wrong, and every run would notice. */
export function buildTree(root: Group, declarations: readonly (Group | Command)[]): CommandNode {
  const top: CommandNode = { declaration: root, word: "", path: [], children: [], hosted: false };
  const byName = new Map<string, CommandNode>([["", top]]);
  for (const declaration of declarations) {
    const path = declaration.name.split(" ");
    const parent = byName.get(path.slice(0, -1).join(" "));
    if (!parent) throw new Error(`No group is declared above "${declaration.name}".`);
    const hosted = parent.hosted || declaration.hosted === true;
    const word = declaration.name.replace(/^.* /, "");
    const node: CommandNode = { declaration, word, path, children: [], hosted };
    parent.children.push(node);
    byName.set(declaration.name, node);
  }
  return top;
}

export function ownFlags(node: CommandNode): FlagTable {
  return node.declaration.kind === "command" ? node.declaration.flags : {};
}

/** Every flag that may be typed at this word: its own, those of a deployment, and the global ones. */
export function acceptedFlags(node: CommandNode): FlagTable {
  return { ...globalFlags, ...(node.hosted ? credentialFlags : {}), ...ownFlags(node) };
}

/** The node that words lead to, aliases included; undefined when there is none. */
export function findNode(root: CommandNode, words: readonly string[]): CommandNode | undefined {
  return words.reduce<CommandNode | undefined>(
    (node, word) => node?.children.find((child) => namesOf(child).includes(word)),
    root,
  );
}

export function namesOf(node: CommandNode): string[] {
  return [node.word, ...(node.declaration.aliases ?? [])];
}

export function* walk(node: CommandNode): Generator<CommandNode> {
  yield node;
  for (const child of node.children) yield* walk(child);
}
