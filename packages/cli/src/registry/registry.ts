/** @module Every command of `fettle`, in the order help lists them. */
import { cliCommands } from "./cli.ts";
import { cloudCommands } from "./cloud.ts";
import { group } from "./command.ts";
import { serviceCommands } from "./service.ts";
import { buildTree } from "./tree.ts";

const root = group({ name: "", section: "cli", summary: "Fettle keeps MCP servers in fine fettle." });

export const tree = buildTree(root, [...serviceCommands, ...cloudCommands, ...cliCommands]);
