/** @module Reading what was sent to a webhook, page by page. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../api/operation.ts";

export const deliveriesQuery = (address: { projectId: string; webhookId: string }) =>
  infiniteQueryOptions({
    queryKey: ["listWebhookDeliveries", { ...address, query: {} }],
    queryFn: ({ signal, pageParam }) => {
      const query = pageParam === "" ? {} : { cursor: pageParam };
      return call("listWebhookDeliveries", { ...address, query }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
