export type { AuditEntry, AuditPage, AuditQuery } from "./audit.ts";
export { auditWays } from "./audit-ways.ts";
export { auditLimits, noticeLimits } from "./limits.ts";
export type {
  Webhook,
  WebhookCreateRequest,
  WebhookDelivery,
  WebhookDeliveryQuery,
  WebhookUpdateRequest,
  WebhookWithSecret,
} from "./webhook.ts";
export {
  type DeliveryState,
  deliveryStates,
  type NoticeEvent,
  type NoticeType,
  noticeEvents,
  testNotice,
} from "./words.ts";
