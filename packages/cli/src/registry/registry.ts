/** @module Every command of `fettle`, in the order help lists them. */
import { adminCommands } from "./admin.ts";
import { appsCommands } from "./apps.ts";
import { cliCommands } from "./cli.ts";
import { cloudCommands } from "./cloud.ts";
import { cloudClientsCommands } from "./cloud-clients.ts";
import { cloudEnvironmentsCommands } from "./cloud-environments.ts";
import { cloudPluginsCommands } from "./cloud-plugins.ts";
import { cloudServerGroupsCommands } from "./cloud-server-groups.ts";
import { cloudServersCommands } from "./cloud-servers.ts";
import { cloudSkillsCommands } from "./cloud-skills.ts";
import { cloudTunnelCommands } from "./cloud-tunnel.ts";
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
  ...cloudServersCommands,
  ...cloudTunnelCommands,
  ...cloudClientsCommands,
  ...cloudEnvironmentsCommands,
  ...cloudServerGroupsCommands,
  ...cloudSkillsCommands,
  ...cloudPluginsCommands,
  ...cliCommands,
]);
