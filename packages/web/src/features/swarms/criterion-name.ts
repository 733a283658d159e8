/** @module What a check of a rubric is called where it has no label of its own. */
import type { RubricCriterion } from "@fettle/contract/visitors";
import { checkKinds } from "../../kit/checks/check-kinds.ts";

export const criterionName = ({ label, predicate }: Pick<RubricCriterion, "label" | "predicate">): string =>
  label ?? checkKinds[String(predicate.type)]?.label ?? String(predicate.type);
