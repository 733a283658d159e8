/** @module What people are answered who delete the owner's run while it is in progress. */
import type { PersonName } from "./world.ts";

/** Whoever may not delete it is told that first. */
export const inProgressTo = (person: PersonName | undefined) =>
  person === "owner" || person === "admin" || person === "projectAdmin" ? 409 : 403;
