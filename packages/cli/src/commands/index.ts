/** @module Every command of `fettle`, in the order help lists them. */

import { group } from "../program/command.ts";
import { buildTree } from "../program/tree.ts";
import { adminCommands } from "./admin/index.ts";
import { appsCommands } from "./apps/index.ts";
import { cliCommands } from "./cli/index.ts";
import { cloudCommands } from "./cloud/index.ts";
import { compatCommands } from "./compat/index.ts";
import { conformanceCommands } from "./conformance/index.ts";
import { devCommands } from "./dev/index.ts";
import { evalCommands } from "./eval/index.ts";
import { explainCommands } from "./explain/index.ts";
import { initCommands } from "./init/index.ts";
import { inspectorCommands } from "./inspector/index.ts";
import { mcpCommands } from "./mcp/index.ts";
import { modelsCommands } from "./models/index.ts";
import { oauthCommands } from "./oauth/index.ts";
import { promptsCommands } from "./prompts/index.ts";
import { protocolCommands } from "./protocol/index.ts";
import { readinessCommands } from "./readiness/index.ts";
import { registryCommands } from "./registry/index.ts";
import { resourcesCommands } from "./resources/index.ts";
import { serverCommands } from "./server/index.ts";
import { serviceCommands } from "./service/index.ts";
import { tasksCommands } from "./tasks/index.ts";
import { toolsCommands } from "./tools/index.ts";
import { xaaCommands } from "./xaa/index.ts";

const root = group({ name: "", section: "cli", summary: "Fettle keeps MCP servers in fine fettle." });

export const tree = buildTree(root, [
  ...serverCommands,
  ...toolsCommands,
  ...resourcesCommands,
  ...promptsCommands,
  ...tasksCommands,
  ...appsCommands,
  ...compatCommands,
  ...inspectorCommands,
  ...devCommands,
  ...protocolCommands,
  ...conformanceCommands,
  ...readinessCommands,
  ...explainCommands,
  ...evalCommands,
  ...modelsCommands,
  ...initCommands,
  ...xaaCommands,
  ...oauthCommands,
  ...mcpCommands,
  ...serviceCommands,
  ...adminCommands,
  ...cloudCommands,
  ...registryCommands,
  ...cliCommands,
]);
