/** @module What a test sends to the operations on sandbox images. */
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { createImage, promoteImage } from "../../sandboxes/images/images.ts";
import { findImage } from "../../sandboxes/images/store.ts";
import type { PersonName, World } from "../world.ts";

export const goodBlueprint = `base: debian:13@sha256:${"ab".repeat(32)}\ninitialize:\n  - name: tools\n    run: apt-get install -y jq\n`;

const newImage = () => ({ name: newId("sandboxImage"), blueprint: goodBlueprint });

/** One that everybody in the project sees. */
const shared = async ({ projectId, people }: World, app: App) => {
  const userId = people.owner.userId;
  const { id } = await createImage(app, app.db, { projectId, userId }, newImage());
  await promoteImage(app, userId, (await findImage(app.db, projectId, id, userId))!);
  return { imageId: id };
};
const admins: PersonName[] = ["owner", "admin", "projectAdmin"];
const byAdmins = (person: PersonName | undefined) => (person && admins.includes(person) ? 200 : 403);

/** The app of these tests has no container engine, which it says to whoever may ask. */
const unsupported = 422;
const byAdminsUnsupported = (person: PersonName | undefined) =>
  person && admins.includes(person) ? 422 : 403;

export const sandboxImageInputs = {
  listSandboxImages: {},
  createSandboxImage: { body: newImage },
  getSandboxImage: { params: shared },
  updateSandboxImage: { params: shared, body: () => ({ blueprint: goodBlueprint }), passes: byAdmins },
  deleteSandboxImage: { params: shared, passes: byAdmins },
  promoteSandboxImage: { params: shared },
  listSandboxImageBuilds: { params: shared },
  buildSandboxImage: { params: shared, passes: byAdminsUnsupported },
  useSandboxImage: { params: shared, passes: unsupported },
  getOwnComputer: {},
  resetComputer: { passes: unsupported },
  validateSandboxImageBlueprint: { body: () => ({ blueprint: goodBlueprint }) },
};
