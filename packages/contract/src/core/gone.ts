/** @module What is answered once something of a project is deleted or archived. */
import { z } from "zod";

const ofProject = { id: z.string(), projectId: z.string() };
export const deletedFields = { ...ofProject, deleted: z.literal(true) };
export const archivedFields = { ...ofProject, archived: z.literal(true) };
