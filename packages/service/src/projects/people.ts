/** @module Who the caller is, and the organizations they belong to. */
import { ApiError, type Me, type Organization } from "@fettle/contract";
import type { Querier } from "../db/pool.ts";
import type { SignedInCaller } from "../http/bind.ts";
import { findUser, listOrganizationsOf } from "./store.ts";

export async function readMe(db: Querier, caller: SignedInCaller): Promise<Me> {
  const user = await findUser(db, caller.userId);
  if (!user) throw new ApiError("NOT_FOUND", "This account is gone.");
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    createdAt: user.createdAt.getTime(),
    updatedAt: user.updatedAt.getTime(),
  };
}

/** A key sees only the organization it was made in, however many its maker belongs to. */
export async function listOrganizations(db: Querier, caller: SignedInCaller): Promise<Organization[]> {
  const rows = await listOrganizationsOf(db, caller.userId);
  return rows
    .filter(({ id }) => caller.kind !== "key" || id === caller.organizationId)
    .map((row) => ({
      id: row.id,
      name: row.name,
      plan: row.plan,
      myRole: row.role,
      isCreator: row.createdBy === caller.userId,
      logoUrl: row.logoUrl,
      createdAt: row.createdAt.getTime(),
    }));
}
