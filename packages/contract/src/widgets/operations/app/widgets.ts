/** @module Showing the widgets of a saved server on its pages. */
import { access, operation, serverErrors } from "../../../core/operation.ts";
import { RenderedWidget, WidgetRefusals, WidgetRequest } from "../../rendered.ts";

const tag = "App servers";
const surface = "app";

export const renderWidget = operation({
  id: "renderWidget",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/widgets",
  access: access.project.read,
  summary:
    "Read a widget's document from a saved server and make it ready to be shown, under the policy it declares",
  built: true,
  body: WidgetRequest,
  output: RenderedWidget,
  errors: ["VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", "OAUTH_REQUIRED", ...serverErrors],
});

export const listWidgetRefusals = operation({
  id: "listWidgetRefusals",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/servers/{serverId}/widgets/{widgetId}/refusals",
  access: access.project.read,
  summary: "List what browsers refused a widget that is shown",
  built: true,
  output: WidgetRefusals,
});
