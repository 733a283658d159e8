/** @module Binds the operations on skills. */
import type { SkillId } from "@fettle/contract/core";
import { type AskedBy, type Bindings, bindResource } from "../../core/routing/bind.ts";
import {
  checkSkill,
  createSkill,
  deleteSkill,
  listSkills,
  shareSkill,
  skillFilesOf,
  toSkillDetail,
  unshareSkill,
  updateSkill,
} from "./skills.ts";
import { findSkill } from "./store.ts";

const theSkill = ({ app, caller, project, params }: AskedBy<{ skillId: SkillId }>) =>
  findSkill(app.db, project.id, params.skillId, caller.userId);

export const skillBindings = {
  listProjectSkills: async ({ app, caller, project }) => ({
    items: await listSkills(app.db, project.id, caller.userId),
  }),
  getProjectSkill: bindResource(theSkill, ({ caller }, row) => toSkillDetail(row, caller.userId)),
  getSkillFiles: bindResource(theSkill, (_call, row) => skillFilesOf(row)),
  checkSkill: async ({ body }) => checkSkill(body.files),
  createSkill: ({ app, db, caller, project, body }) =>
    createSkill(app, db, project.id, caller.userId, body.files),
  updateSkill: bindResource(theSkill, ({ app, caller, project, body }, row) =>
    updateSkill(app, project, caller.userId, row, body),
  ),
  shareSkill: bindResource(theSkill, ({ app, caller, project }, row) =>
    shareSkill(app, project, caller.userId, row),
  ),
  unshareSkill: bindResource(theSkill, ({ app, caller, project }, row) =>
    unshareSkill(app, project, caller.userId, row),
  ),
  deleteSkill: bindResource(theSkill, ({ app, caller, project, query }, row) =>
    deleteSkill(app, project, caller.userId, row, query.expectedUpdatedAt),
  ),
} satisfies Partial<Bindings>;
