export type {
  AgentAction,
  AgentMessage,
  AgentTurnRequest,
  AgentTurnResponse,
  CreatedResource,
  ProposedAction,
} from "./agent.ts";
