/** @module The tunnels of a project, for its pages. Opening one is for the machine that runs the server. */
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import { Tunnel } from "../../tunnels/tunnel.ts";

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
