/** @module The yardstick: a bare handler of the same framework with the same SQL, and nothing around it. */
import { fastify } from "fastify";
import { must } from "../packages/contract/src/formats/index.ts";
import { readConfig } from "../packages/service/src/core/config/config.ts";
import { keyBucket } from "../packages/service/src/core/limits/limits.ts";
import { type KeyRow, keyFinding } from "../packages/service/src/http/caller/credential-sql.ts";
import { hashToken } from "../packages/service/src/people/accounts/tokens.ts";
import { listTiedProjects } from "../packages/service/src/people/projects/store.ts";
import { createApp } from "../packages/service/src/start/create-app.ts";

const app = await createApp(readConfig({ env: process.env }), { ownership: "attach" });
const findKey = keyFinding(keyBucket(app.config.limits)).alone;

const server = fastify();
server.get("/projects", async (request) => {
  const key = must(request.headers.authorization, "a key in the request").slice("Bearer ".length);
  const { rows } = await app.pool.query<KeyRow>({ ...findKey, values: [hashToken(key)] });
  const { user_id, organization_id } = must(rows[0], "the row of a key");
  return { items: await listTiedProjects(app.pool, user_id, organization_id) };
});
process.send?.(await server.listen({ host: "127.0.0.1", port: 0 }));
process.once("disconnect", async () => {
  await server.close();
  await app.stop();
});
