/** @module The rules of personas. */
import { ApiError, type ExpectedUpdatedAt, type ProjectId, type UserId } from "@fettle/contract/core";
import {
  type Persona,
  type PersonaCreateRequest,
  type PersonaUpdateRequest,
  swarmLimits,
} from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId } from "../../core/id.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { isPlayed, type PersonaRow, personaShelf } from "./shared-sql.ts";

export async function createPersona(
  app: App,
  db: Querier,
  { projectId, userId }: { projectId: ProjectId; userId: UserId },
  { name, role, notes = "", avatarShape, avatarPalette }: PersonaCreateRequest,
): Promise<Persona> {
  const id = newId("persona");
  const now = new Date(app.now());
  const faces = swarmLimits.avatarIndex + 1;
  // By the name, so that a list of new ones is not all the same, and the same person looks the same everywhere.
  const face = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  const values = {
    id,
    projectId,
    name,
    role,
    notes,
    source: "manual",
    avatarShape: avatarShape ?? face % faces,
    avatarPalette: avatarPalette ?? Math.floor(face / faces) % faces,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
  } as const;
  const slug = slugOf(name);
  const insert = (chosen: string) =>
    inTransaction(db, async (tx) => {
      const row = await personaShelf.insert(tx, { ...values, slug: chosen });
      await announceInProject(app, tx, projectId, "personas");
      return toPersona(row);
    });
  try {
    return await insert(slug);
  } catch (error) {
    if (!isUniqueViolation(error, "personas_slug")) throw error;
    return insert(`${slug}-${id.slice(-6)}`);
  }
}

/** @example slugOf("Ann, 34, buyer") // "ann-34-buyer" */
function slugOf(name: string): string {
  const words =
    name
      .normalize("NFKD")
      // The marks that stood on letters.
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-") || "persona";
}

export async function updatePersona(
  app: App,
  db: Querier,
  { id, projectId }: PersonaRow,
  { expectedUpdatedAt, ...change }: PersonaUpdateRequest,
): Promise<Persona> {
  return inTransaction(db, async (tx) => {
    const moment = await personaShelf.holdAsRead(app, tx, { id, projectId }, expectedUpdatedAt);
    const row = await personaShelf.change(tx, id, { ...change, ...moment });
    await announceInProject(app, tx, projectId, "personas");
    return toPersona(row);
  });
}

export async function deletePersona(
  app: App,
  db: Querier,
  { id, projectId }: PersonaRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: string; projectId: string; deleted: true }> {
  return inTransaction(db, async (tx) => {
    const moment = await personaShelf.holdAsRead(app, tx, { id, projectId }, expectedUpdatedAt);
    const held = await personaShelf.hold(tx, projectId, id);
    if (held && (await isPlayed(tx, held))) {
      throw new ApiError("CONFLICT", "A journey is made by this persona.", {
        code: "PERSONA_IN_USE",
        hint: "Archive its journeys first.",
      });
    }
    await personaShelf.change(tx, id, { archivedAt: new Date(app.now()), ...moment });
    await announceInProject(app, tx, projectId, "personas");
    return { id, projectId, deleted: true };
  });
}

export function toPersona(row: PersonaRow): Persona {
  const { id, projectId, slug, name, role, notes, source, seedKeywords, avatarShape, avatarPalette } = row;
  return {
    id,
    projectId,
    slug,
    name,
    role,
    notes,
    source,
    ...(seedKeywords && { seedKeywords }),
    avatar: { shape: avatarShape, palette: avatarPalette },
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}
