/** @module `/p/:pid/evals/:suid/edit`: the cases of a suite, as forms and as YAML. */
import type { EvalSuiteDetail } from "@fettle/contract/evals";
import { lazy, Suspense } from "react";
import { useOperation } from "../../api/operation.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { Loading } from "../../kit/loading.tsx";
import { useBootstrap } from "../../pages/page-context.tsx";
import { useSearchText } from "../../pages/use-search.ts";
import { SuiteFrame } from "../frames/suite-frame.tsx";

const SuiteEditor = lazy(async () => ({
  default: (await import("../../features/evals/editor/parts/suite-editor.tsx")).SuiteEditor,
}));

export function EvalEdit() {
  return (
    <SuiteFrame id="eval-edit" width="full">
      {(suite) => <Editor suite={suite} />}
    </SuiteFrame>
  );
}

function Editor({ suite }: { suite: EvalSuiteDetail }) {
  const query = useOperation("getEvalSuiteDocument", { projectId: suite.projectId, suiteId: suite.id });
  const { user } = useBootstrap();
  const [open, setOpen] = useSearchText("case");
  return (
    <Loaded query={query} what="the cases">
      {(edition) => (
        <Suspense fallback={<Loading what="the cases" />}>
          <SuiteEditor suite={suite} edition={edition} userId={user.id} open={open} onOpen={setOpen} />
        </Suspense>
      )}
    </Loaded>
  );
}
