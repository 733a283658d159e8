/** @module Binds the operations that report runs made elsewhere. */
import { originOf } from "../accounts/origin.ts";
import type { Bindings, Call, ProjectContext, SignedInCaller } from "../routing/bind.ts";
import { createUploadUrl } from "./artifacts.ts";
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
} satisfies Partial<Bindings>;
