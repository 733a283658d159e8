/** @module Operations of the Catalog tag: who am I, organizations, projects, saved servers, models. */
import { z } from "zod";
import { access, operation } from "../operation.ts";

export const getMe = operation({
  id: "getMe",
  tag: "Catalog",
  method: "GET",
  path: "/me",
  access: access.any,
  summary: "The account behind the credential",
  output: z.object({ id: z.string(), email: z.string(), name: z.string().nullable() }),
});
