/** @module One's own computer in a project, as the web app shows it beside the images. */
import { access, operation } from "../../../core/operation.ts";
import { OwnComputer } from "../../own-computer.ts";

export const getOwnComputer = operation({
  id: "getOwnComputer",
  tag: "App computer",
  surface: "app",
  method: "GET",
  path: "/projects/{projectId}/computer",
  access: access.project.read,
  summary: "The caller's computer, and whether this deployment can run one",
  built: true,
  output: OwnComputer,
});
