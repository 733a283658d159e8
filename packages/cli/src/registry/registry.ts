/** @module Every command of `fettle`, in the order help lists them. */

import { cloudCommands } from "../commands/cloud/index.ts";
import { adminCommands } from "./admin.ts";
import { appsCommands } from "./apps.ts";
import { cliCommands } from "./cli.ts";
import { group } from "./command.ts";
import { compatCommands } from "./compat.ts";
import { conformanceCommands } from "./conformance.ts";
import { mcpCommands } from "./mcp.ts";
import { oauthCommands } from "./oauth.ts";
import { promptsCommands } from "./prompts.ts";
import { protocolCommands } from "./protocol.ts";
import { resourcesCommands } from "./resources.ts";
import { serverCommands } from "./server.ts";
import { serviceCommands } from "./service.ts";
import { tasksCommands } from "./tasks.ts";
import { toolsCommands } from "./tools.ts";
import { buildTree } from "./tree.ts";
import { xaaCommands } from "./xaa.ts";

const root = group({ name: "", section: "cli", summary: "Fettle keeps MCP servers in fine fettle." });

export const tree = buildTree(root, [
  ...serverCommands,
  ...toolsCommands,
  ...resourcesCommands,
  ...promptsCommands,
  ...tasksCommands,
  ...appsCommands,
  ...compatCommands,
  ...protocolCommands,
  ...conformanceCommands,
  ...xaaCommands,
  ...oauthCommands,
  ...mcpCommands,
  ...serviceCommands,
  ...adminCommands,
  ...cloudCommands,
  ...cliCommands,
]);
