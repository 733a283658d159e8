/** @module What one page says of itself. Everything else about it (route, view, document, links, palette, live topics) is derived. */
import type { ApiClient, AppClient, operationCommands } from "@fettle/contract/client";

/** Pages of the `entrance` are the small second document for people not (yet) signed in; all others live in the workspace. */
type PageArea = "entrance" | "organization" | "project" | "account";

export interface PageDeclaration {
  /** Also the name of its view's module in `routes`, fetched when the page is first opened. */
  id: string;
  /** `$name` marks a parameter. */
  path: string;
  area: PageArea;
  title: string;
  /** One line for the palette and help. */
  about: string;
  /** The operations it calls by being opened, besides those of the shell around it. */
  reads: readonly (keyof ApiClient | keyof AppClient)[];
  action?: PageAction;
  empty?: { title: string; text: string };
  /** The key after `g`. */
  jump?: string;
  terminal?: Terminal;
  /** Pages that share one row of tabs. The address above them leads to the first. */
  tabs?:
    | "organization-settings"
    | "project-settings"
    | "account"
    | "server"
    | "client"
    | "environment"
    | "eval-suite"
    | "swarms"
    | "swarm"
    | "journey";
  /** Listed in the side bar of its area, under this name. */
  navigation?: { label: string; order: number };
}

/** The one primary action. In the palette it opens the page with `?do=new`. */
interface PageAction {
  label: string;
  operation: keyof ApiClient | keyof AppClient;
  /** The role in the page's organization or project below which it is refused; the service decides, the page says it before one tries. */
  needs?: "member" | "admin";
  /** `{role}` is the person's own. */
  refusal?: string;
}

/**
 * The same in the terminal: the operation's own command with the ids in the address, other commands, or why there is none.
 * `{name}` is a parameter of the path, or what the view tells by `useCommandFacts`. Of several commands the first is shown of which
 * everything is known, so that it can be pasted as it stands; `with` is left out where it is not.
 */
export type Terminal =
  | { operation: keyof typeof operationCommands; with?: string }
  | { commands: readonly [string, ...string[]] }
  | { none: string };

type Said<Area extends PageArea> = Omit<PageDeclaration, "area"> &
  (Area extends "entrance" ? { terminal?: never } : { terminal: Terminal });

/**
 * The pages of one area. Ids and paths keep their literal types, so that a link to no page does not compile.
 *
 * @example
 * export const accountPages = pagesOf("account", [{ id: "account-keys", path: "/account/keys", … }]);
 */
export function pagesOf<const Area extends PageArea, const Pages extends readonly Said<Area>[]>(
  area: Area,
  pages: Pages,
): { [Index in keyof Pages]: Pages[Index] & { area: Area } } {
  // A mapped array loses its tuple type; it has one element for each.
  return pages.map((page) => ({ ...page, area })) as never;
}
