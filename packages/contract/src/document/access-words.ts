/** @module Who may call, in words: for the route table, the OpenAPI document and the API reference. */
import type { Access } from "../core/operation.ts";

export function accessWords(access: Access): string {
  switch (access.kind) {
    case "public":
      return "anyone";
    case "guest":
      return "any bearer, guests included";
    case "any":
      return "signed in";
    case "owner":
      return "owner";
    case "organization":
      return access.role === "guest" ? "organization, any role" : `organization ${access.role}`;
    case "project":
      return `project ${access.role.replace("_", " ")}${access.from === "query" ? " (projectId in the query)" : ""}`;
  }
}
