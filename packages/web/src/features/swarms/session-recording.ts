/** @module A session's messages as the recording that transcripts draw: each call with what came of it. Pure. */
import type { JourneyRunSessionDetail } from "@fettle/contract/visitors";
import type { Message, RecordedCall, Recording } from "../../kit/recorded/recording.ts";

export function sessionRecording({
  messages,
  farewell,
}: Pick<JourneyRunSessionDetail, "messages" | "farewell">): Pick<Recording, "messages" | "toolCalls"> {
  // What the engine writes; its parts are open objects on the wire.
  const said = messages as Message[];
  const answers = new Map(
    said.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message]] : [])),
  );
  const toolCalls = said.flatMap((message): RecordedCall[] =>
    message.role === "assistant"
      ? message.parts.flatMap((part) => {
          const answer = part.type === "tool-call" ? answers.get(part.toolCallId) : undefined;
          return part.type === "tool-call" && answer
            ? [
                {
                  toolCallId: part.toolCallId,
                  toolName: part.name,
                  server: null,
                  arguments: part.arguments ?? {},
                  outcome: "result",
                  isError: answer.isError,
                  durationMs: null,
                },
              ]
            : [];
        })
      : [],
  );
  return {
    messages: farewell === null ? said : [...said, { role: "user", text: farewell }],
    toolCalls,
  };
}
