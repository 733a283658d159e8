/** @module The first things to do in a project, and which are done: judged from what exists, never from a stored tick. */

export interface FirstStepsFacts {
  hasCommandLine: boolean;
  hasKey: boolean;
  memberCount: number;
}

export type FirstStepId = "command-line" | "key" | "invite";

export interface FirstStep {
  id: FirstStepId;
  title: string;
  text: string;
  done: boolean;
}

export function firstSteps(facts: FirstStepsFacts): FirstStep[] {
  return [
    {
      id: "command-line",
      title: "Sign in from the terminal",
      text: "Everything a page does, the command line does too.",
      done: facts.hasCommandLine,
    },
    {
      id: "key",
      title: "Make an API key",
      text: "For CI and scripts. It is shown once.",
      done: facts.hasKey,
    },
    {
      id: "invite",
      title: "Invite someone",
      text: "Findings are for talking about.",
      done: facts.memberCount > 1,
    },
  ];
}
