/** @module Binds the operations that report runs made elsewhere. */

import type { Bindings, Call, ProjectContext, SignedInCaller } from "../../core/routing/bind.ts";
import { missing } from "../../core/routing/not-found.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { createUploadUrl, findArtifact } from "./artifacts.ts";
import * as ingest from "./ingest.ts";

type Asked = Pick<Call<never>, "app" | "request"> & { caller: SignedInCaller; project: ProjectContext };

const reporterOf = ({ app, caller, project, request }: Asked): ingest.Reporter => ({
  app,
  caller,
  projectId: project.id,
  origin: originOf(app.config, request.headers),
});

export const evalIngestBindings = {
  reportEvalRun: (call) => ingest.reportRun(reporterOf(call), call.body),
  startEvalIngestRun: (call) => ingest.startRun(reporterOf(call), call.body),
  ingestEvalRunIterations: (call) => ingest.addIterations(reporterOf(call), call.body),
  finalizeEvalIngestRun: (call) => ingest.finalizeRun(reporterOf(call), call.body),
  createEvalIngestUploadUrl: (call) => {
    const { app, projectId, caller, origin } = reporterOf(call);
    return createUploadUrl(app, { projectId, userId: caller.userId, origin });
  },
  readEvalArtifact: async ({ app, project, params }, response) => {
    const file = await findArtifact(app, project.id, params.artifactId);
    if (!file?.content)
      throw missing(
        "There is no such file in this project.",
        "Files are named by the traces that they belong to.",
      );
    // Whoever uploaded it says what it is: it is never shown as a page of ours.
    return response
      .header("content-disposition", "attachment")
      .header("content-security-policy", "sandbox; default-src 'none'")
      .header("x-content-type-options", "nosniff")
      .type("application/octet-stream")
      .send(file.content);
  },
} satisfies Partial<Bindings>;
