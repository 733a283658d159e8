/** @module `/p/:pid/swarms/:swid/settings`: the swarm's name, and what new journeys in it begin with. */
import { SwarmFields } from "../../features/swarms/parts/swarm-fields.tsx";
import { ValuesEditor } from "../../features/swarms/parts/values-editor.tsx";
import { swarmValues } from "../../features/swarms/values.ts";
import { SwarmFrame } from "../frames/swarm-frame.tsx";

export function SwarmSettings() {
  return (
    <SwarmFrame id="swarm-settings">
      {(swarm) => (
        <ValuesEditor kind="swarm" stored={swarm} valuesOf={swarmValues}>
          {(values, set) => <SwarmFields projectId={swarm.projectId} values={values} set={set} />}
        </ValuesEditor>
      )}
    </SwarmFrame>
  );
}
