/** @module `/p/:pid/swarms/journeys/:jid/settings`: goal, targets, budget, rubric and judge. */
import { JourneyFields } from "../../features/swarms/parts/journey-fields.tsx";
import { JudgeFields, RubricFields } from "../../features/swarms/parts/rubric-fields.tsx";
import { ValuesEditor } from "../../features/swarms/parts/values-editor.tsx";
import { journeyValues } from "../../features/swarms/values.ts";
import { JourneyFrame } from "../frames/journey-frame.tsx";

export function JourneySettings() {
  return (
    <JourneyFrame id="journey-settings">
      {(journey) => (
        <ValuesEditor kind="journey" stored={journey} valuesOf={journeyValues}>
          {(values, set) => (
            <>
              <JourneyFields projectId={journey.projectId} values={values} set={set} />
              <RubricFields rubric={values.rubric} onChange={(rubric) => set({ rubric })} />
              <JudgeFields
                projectId={journey.projectId}
                judge={values.judge}
                onChange={(judge) => set({ judge })}
              />
            </>
          )}
        </ValuesEditor>
      )}
    </JourneyFrame>
  );
}
