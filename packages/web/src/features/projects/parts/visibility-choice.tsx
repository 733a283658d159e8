/** @module Public or private inside the organization. */
import type { Visibility } from "@fettle/contract/core";
import { Choice } from "../../../ui/choice.tsx";

export interface VisibilityChoiceProps {
  value: Visibility;
  disabled?: boolean;
  onChange: (value: Visibility) => void;
}

export function VisibilityChoice(props: VisibilityChoiceProps) {
  return (
    <Choice
      {...props}
      label="Visibility"
      options={[
        {
          value: "public",
          label: "Public in the organization",
          hint: "Every member sees it and works in it.",
        },
        { value: "private", label: "Private", hint: "Only admins, owners and people with a grant see it." },
      ]}
    />
  );
}
