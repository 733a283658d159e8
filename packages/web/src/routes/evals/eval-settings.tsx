/** @module `/p/:pid/evals/:suid/settings`: what is so for every case of a suite. */
import type { EvalSuiteDetail } from "@fettle/contract/evals";
import { lazy, Suspense } from "react";
import { useOperation } from "../../api/operation.ts";
import { useCommandFacts } from "../../kit/command-facts.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { Loading } from "../../kit/loading.tsx";
import { useBootstrap, usePlace } from "../../pages/page-context.tsx";
import { SuiteFrame } from "../frames/suite-frame.tsx";

const SuiteSettings = lazy(async () => ({
  default: (await import("../../features/evals/editor/parts/suite-settings.tsx")).SuiteSettings,
}));

export function EvalSettings() {
  return <SuiteFrame id="eval-settings">{(suite) => <Settings suite={suite} />}</SuiteFrame>;
}

function Settings({ suite }: { suite: EvalSuiteDetail }) {
  const query = useOperation("getEvalSuiteDocument", { projectId: suite.projectId, suiteId: suite.id });
  const { user } = useBootstrap();
  const { project } = usePlace();
  useCommandFacts({ suite: suite.name });
  return (
    <Loaded query={query} what="the settings">
      {(edition) =>
        project && (
          <Suspense fallback={<Loading what="the settings" />}>
            <SuiteSettings
              suite={suite}
              edition={edition}
              userId={user.id}
              organizationId={project.organizationId}
            />
          </Suspense>
        )
      }
    </Loaded>
  );
}
