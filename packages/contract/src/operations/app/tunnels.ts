/** @module The tunnels of a project, for its pages. Opening one is for the machine that runs the server. */
import { access, operation } from "../../operation.ts";
import { page } from "../../page.ts";
import { Tunnel } from "../../resources/tunnel.ts";

export const listTunnels = operation({
  id: "listTunnels",
  tag: "App tunnels",
  surface: "app",
  method: "GET",
  path: "/projects/{projectId}/tunnels",
  access: access.project.read,
  summary: "The project's tunnels and whether their machines are connected",
  built: true,
  output: page(Tunnel),
});
