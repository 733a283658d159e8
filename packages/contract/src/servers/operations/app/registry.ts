/** @module The cards of an organization, as its people make them. */
import { z } from "zod";
import { access, operation } from "../../../core/operation.ts";
import { RegistryCard, RegistryCardRequest } from "../../registry/registry.ts";

const tag = "App organization";
const surface = "app";
const path = "/organizations/{organizationId}/registry-cards/{cardName}";

export const saveRegistryCard = operation({
  id: "saveRegistryCard",
  tag,
  surface,
  method: "PUT",
  path,
  access: access.organization.member,
  elevated: "an admin of the organization approves what a member proposes, and changes what is approved",
  summary: "Make or change a card: a member's waits for an admin, an admin's holds at once",
  built: true,
  body: RegistryCardRequest,
  output: RegistryCard,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const removeRegistryCard = operation({
  id: "removeRegistryCard",
  tag,
  surface,
  method: "DELETE",
  path,
  access: access.organization.admin,
  summary: "Take a card back; servers that were installed from it stay",
  built: true,
  output: z.object({ name: z.string(), removed: z.literal(true) }),
});
