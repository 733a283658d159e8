/** @module A page's command in the terminal, from its operation: `fettle cloud skills get --project prj_1 --skill skl_2`. */
import { apiRoutes, appRoutes, operationCommands, shellWord } from "@fettle/contract";
import type { PageDeclaration } from "./page.ts";
import { parametersOf } from "./pages.ts";

const routes: Readonly<Record<string, string>> = { ...apiRoutes, ...appRoutes };

/** The command with `{name}` where a value goes; undefined when the page has none. */
export function commandTemplate({ path, terminal }: PageDeclaration): string | undefined {
  if (!terminal || "none" in terminal) return undefined;
  if ("command" in terminal) return terminal.command;
  const { operation, with: more } = terminal;
  // The operation's path and the page's name the same things in the same order, under longer and shorter names.
  const given = parametersOf({ path });
  const flags = [...routes[operation]!.matchAll(/\{(\w+)\}/g)].map(([, name], at) => {
    const word = name!.replace(/Id$/, "");
    return `--${word} {${given[at] ?? word}}`;
  });
  return [operationCommands[operation], ...flags, more].filter(Boolean).join(" ");
}

/** Ready to be pasted; what is not known stays as `<name>`. */
export function commandLine(
  page: PageDeclaration,
  known: Readonly<Record<string, string>>,
): string | undefined {
  return commandTemplate(page)?.replace(/\{(\w+)\}/g, (_, name: string) =>
    known[name] === undefined ? `<${name}>` : shellWord(known[name]),
  );
}
