/** @module What an operation does to the world: what decides whether the workspace agent may do it, propose it, or not even see it. */

export const effects = {
  read: "Looks at what the project holds",
  ask: "Asks a saved server what it is and has, in words of our own",
  write:
    "Changes something in the project, for free; counts as spending or reaching outside where others use what it changes",
  spend: "Spends model budget, now or again and again",
  outside: "Reaches beyond the project: a server acts, strangers are let in, machines are started",
  cancel: "Ends something that is under way",
  remove: "Deletes, puts away or takes access away",
  person: "For people and their programs alone: secrets, access, addresses, what is reported from elsewhere",
} as const;
export type Effect = keyof typeof effects;

/** Of what the agent wants done and a person decides. `change`: a write to something that others use. */
export const proposedKinds = ["start", "cancel", "generate", "schedule", "external", "change"] as const;
export type ProposedKind = (typeof proposedKinds)[number];

export const confirmSeverities = ["spend", "external", "none"] as const;
export type ConfirmSeverity = (typeof confirmSeverities)[number];

/** `running`: it was approved and is being done; `lost`: it was, and nobody knows how far it came. */
export const proposalStates = ["open", "running", "done", "failed", "declined", "expired", "lost"] as const;
export type ProposalState = (typeof proposalStates)[number];
