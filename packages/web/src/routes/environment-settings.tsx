/** @module `/p/:pid/environments/:eid/settings`: what an environment is made of. */
import type { AdhocEnvironment, Environment } from "@fettle/contract/environments";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { valuesOf } from "../features/environments/environment-draft.ts";
import { CreateEnvironmentDialog } from "../features/environments/parts/create-environment-dialog.tsx";
import { EnvironmentEditor } from "../features/environments/parts/environment-editor.tsx";
import { EnvironmentLife } from "../features/environments/parts/environment-life.tsx";
import { NameAdhoc } from "../features/environments/parts/name-adhoc.tsx";
import { useRefusal } from "../pages/page-context.tsx";
import { pagePath } from "../pages/pages.ts";
import { toast } from "../ui/toast.tsx";
import { EnvironmentFrame } from "./frames/environment-frame.tsx";

export function EnvironmentSettingsPage() {
  return (
    <EnvironmentFrame id="environment-settings">
      {(environment) => <Contents environment={environment} />}
    </EnvironmentFrame>
  );
}

function Contents({ environment }: { environment: Environment | AdhocEnvironment }) {
  const blocked = useRefusal("environments");
  const [copying, setCopying] = useState(false);
  const navigate = useNavigate();
  if (environment.name === null) return <NameAdhoc environment={environment} blocked={blocked} />;
  const { projectId: pid } = environment;
  return (
    <>
      <EnvironmentEditor
        environment={environment}
        blocked={blocked ?? (environment.archived ? "It is archived. Restore it to change it." : undefined)}
      />
      <EnvironmentLife environment={environment} blocked={blocked} onCopy={() => setCopying(true)} />
      {copying && (
        <CreateEnvironmentDialog
          projectId={pid}
          start={{ ...valuesOf(environment), name: `${environment.name} (restored)` }}
          onClose={() => setCopying(false)}
          onCreated={({ id, name }) => {
            toast(`${name} is created`);
            setCopying(false);
            void navigate({ to: pagePath("environment-settings", { pid, eid: id }) });
          }}
        />
      )}
    </>
  );
}
