/** @module `/p/:pid/environments/:eid/resolve`: what a run started now would execute with. */
import { ResolvePreview } from "../features/environments/parts/resolve-preview.tsx";
import { EnvironmentFrame } from "./frames/environment-frame.tsx";

export function EnvironmentResolve() {
  return (
    <EnvironmentFrame id="environment-resolve">
      {({ projectId, id }) => <ResolvePreview address={{ projectId, environmentId: id }} />}
    </EnvironmentFrame>
  );
}
