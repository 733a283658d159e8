/** @module What else the sample project has to look at: a skill, a plugin, and a card of the bookshop to install it from. */
import { defineJob } from "../../core/jobs/define.ts";
import { listPlugins, uploadPlugin } from "../../environments/plugins/plugins.ts";
import { createSkill } from "../../environments/skills/skills.ts";
import { listSkills, updateSkill } from "../../environments/skills/store.ts";
import { organizationOf } from "../../people/projects/store.ts";
import { saveCard } from "../../servers/registry/cards.ts";
import { openEndpoint } from "../../servers/saved/endpoint.ts";
import { findServer } from "../../servers/saved/store.ts";
import { sampleInput } from "./desk.ts";

const skill = `---
name: recommend-books
description: Recommends a book to a customer of the bookshop. Use it when somebody asks what to read.
---

# Recommend books

1. Ask for a mood or a subject, if neither was named.
2. Search the catalogue for it with \`search_books\`.
3. Check with \`check_stock\` that it is there, by its id.
4. Name one book, say in a sentence why, and say how many copies there are.
`;

const plugin = {
  name: "bookshop-desk",
  version: "1.0.0",
  description: "What an assistant of the bookshop should know.",
};

const inBase64 = (text: string) => Buffer.from(text).toString("base64");

/** Enqueued with the sample project, so that it is made once, and not again after somebody deleted it. */
export const sampleShelfJob = defineJob({
  name: "sample.shelf",
  input: sampleInput,
  retry: { attempts: 5, delayMs: 1_000 },
  timeoutMs: 60_000,
  run: async ({ app, input: { projectId, serverId, userId } }) => {
    if ((await listSkills(app.db, projectId, userId)).length === 0) {
      const { id } = await createSkill(app, app.db, projectId, userId, { "SKILL.md": inBase64(skill) });
      await updateSkill(app.db, id, { sharing: "project", updatedAt: new Date(app.now()) });
    }
    if ((await listPlugins(app.db, projectId)).length === 0) {
      await uploadPlugin(app, projectId, userId, {
        "plugin.json": inBase64(JSON.stringify(plugin)),
        "skills/recommend-books/SKILL.md": inBase64(skill),
      });
    }
    const server = await findServer(app.db, projectId, serverId);
    const url = server && openEndpoint(app.vault, server).url;
    if (url === undefined) return;
    const organizationId = await organizationOf(app.db, { projectId });
    await saveCard(app, { organizationId, userId, isAdmin: true }, "bookshop", {
      url,
      displayName: "The Lantern Bookshop",
      description: "A small bookshop to try everything on.",
      category: null,
      tags: ["sample"],
      publisher: null,
      useOAuth: false,
      oauthScopes: [],
    });
  },
});
