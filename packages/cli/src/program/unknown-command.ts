/** @module What was probably meant by a word that calls nothing: a command beside it that looks like it, or one that stands elsewhere. */
import { only } from "@fettle/contract/formats";
import type { CommandNode } from "./command.ts";
import { either, nearNames, type Unknown, unknownName } from "./near-names.ts";
import { namesOf, walk } from "./tree.ts";

/** A word that more commands have than these points to none of them. */
const mostElsewhere = 3;

/**
 * What to add to the error about a word behind `above` that is no command.
 *
 * @example
 * unknownCommand(root, findNode(root, ["cloud"]), "servers").hint; // "Did you mean `fettle cloud projects servers`?"
 */
export function unknownCommand(root: CommandNode, above: CommandNode, typed: string): Unknown {
  const here = above.children.flatMap(namesOf);
  const known = unknownName(typed, here);
  const elsewhere = commandsElsewhere(root, above, typed).map(({ path }) => path.join(" "));
  if (elsewhere.length === 0) return known;
  const near = nearNames(typed, here);
  const { meant: _, ...told } = known;
  const nearest = near.length > 0 ? undefined : only(elsewhere);
  return {
    ...told,
    choices: [...elsewhere, ...known.choices],
    hint: `Did you mean ${either([...elsewhere.map((name) => `\`fettle ${name}\``), ...near])}?`,
    ...(nearest !== undefined && {
      meant: { typed: [...above.path, typed].join(" "), name: nearest, isCommand: true },
    }),
  };
}

/** One word too many or too few: a mistyped word is known there, too. Further away only as it is. */
function commandsElsewhere(root: CommandNode, above: CommandNode, typed: string): CommandNode[] {
  const here = above.children.flatMap(namesOf);
  const away = (node: CommandNode) => stepsBetween(above.path, node.path.slice(0, -1));
  const others = [...walk(root)].filter((node) => node !== root && away(node) > 0);
  for (const distance of new Set(others.map(away).sort((a, b) => a - b))) {
    const around = others.filter((node) => away(node) === distance);
    const names = distance === 1 ? nearNames(typed, [...here, ...around.flatMap(namesOf)]) : [typed];
    if (names.some((name) => here.includes(name))) return [];
    const found = around.filter((node) => namesOf(node).some((name) => names.includes(name)));
    if (found.length > 0) return found.length <= mostElsewhere ? found : [];
  }
  return [];
}

/** From one word of the tree to another, up and down. */
function stepsBetween(from: readonly string[], to: readonly string[]): number {
  const parts = from.findIndex((word, at) => word !== to[at]);
  const shared = parts === -1 ? from.length : parts;
  return from.length - shared + to.length - shared;
}
