/** @module The doctor's report in words. */
import type { Examination } from "./queries.ts";

const steps: Record<string, string> = {
  probe: "Reach it",
  connection: "Connect",
  initialization: "Initialize",
  capabilities: "Capabilities",
  tools: "Tools",
  resources: "Resources",
  resourceTemplates: "Resource templates",
  prompts: "Prompts",
};

/** A step this page does not know yet is shown by its own name. */
export function stepName(name: string): string {
  return steps[name] ?? name;
}

export function verdictOf({ status, findings }: Pick<Examination, "status" | "findings">): {
  title: string;
  text: string;
} {
  const count = findings.length;
  const notes = count === 0 ? "" : ` ${count === 1 ? "One thing" : `${count} things`} to look at below.`;
  switch (status) {
    case "ready":
      return { title: "Ready", text: `Every step passed.${notes}` };
    case "partial":
      return {
        title: "Works in part",
        text: `It connects, but something it offers does not work for every client.${notes}`,
      };
    case "oauth_required":
      return {
        title: "Sign-in required",
        text: "The server answers, but it wants a credential that is not stored.",
      };
    default:
      return { title: "Does not work", text: `No client can use it as it is.${notes}` };
  }
}
