/** @module Events and what became of deliveries, in words. */
import type { DeliveryState, NoticeEvent, NoticeType } from "@fettle/contract/notices";

export const eventWords: Record<NoticeEvent, { label: string; hint: string }> = {
  "verdict.turned": {
    label: "A verdict turns",
    hint: "A suite passes that failed before, or the other way round; the doctor or a host judges a server otherwise.",
  },
  "conformance_run.ended": { label: "A conformance run ends", hint: "Made here, or reported." },
  "eval_run.ended": { label: "An eval run ends", hint: "However it does." },
  "tunnel.dropped": { label: "A tunnel drops", hint: "Its host has been gone for a minute." },
};

export const typeWord = (type: NoticeType): string => (type === "test" ? "Test" : eventWords[type].label);

export const stateLooks: Record<DeliveryState, { word: string; tone: "good" | "bad" | "info" }> = {
  waiting: { word: "Waiting", tone: "info" },
  delivered: { word: "Taken", tone: "good" },
  failed: { word: "Given up", tone: "bad" },
};
