/** @module Changing one's own account. */
import { app } from "../../api/client.ts";
import { bootstrapQuery, queryClient } from "../../api/queries.ts";

export async function rename(name: string) {
  const user = await app.updateProfile({ body: { name } });
  await queryClient.invalidateQueries(bootstrapQuery);
  await queryClient.invalidateQueries({ queryKey: ["members"] });
  return user;
}

export async function changePassword(passwords: { currentPassword: string | null; newPassword: string }) {
  const { currentPassword, newPassword } = passwords;
  const done = await app.changePassword({
    body: { newPassword, ...(currentPassword !== null && { currentPassword }) },
  });
  await queryClient.invalidateQueries(bootstrapQuery);
  await queryClient.invalidateQueries({ queryKey: ["devices"] });
  return done;
}
