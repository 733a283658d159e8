/** @module Browsers and command lines signed in as this person. */
import { queryOptions } from "@tanstack/react-query";
import { app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

export const devicesQuery = queryOptions({
  queryKey: ["devices"],
  queryFn: ({ signal }) => app.listDevices({}, { signal }),
});

export async function revokeDevice(deviceId: string) {
  await app.revokeDevice({ deviceId });
  await queryClient.invalidateQueries(devicesQuery);
}
