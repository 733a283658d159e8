/** @module Opens the accounts of the service on this machine for one command, and always lets go of them. */
import type { Admin } from "@fettle/service";
import { loadService, onlyTyped } from "../load-service.ts";
import type { World } from "../world.ts";

export async function withAdmin<Result>(
  world: World,
  flags: { data: string | undefined; publicUrl?: string | undefined },
  act: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const { openAdmin } = await loadService(world);
  const admin = await openAdmin({ flags: onlyTyped(flags), env: world.env });
  try {
    return await act(admin);
  } finally {
    await admin.close();
  }
}
