/** @module `/account/devices`. */
import { useQuery } from "@tanstack/react-query";
import { PageFrame } from "../app/page-frame.tsx";
import { DeviceTable } from "../features/devices/parts/device-table.tsx";
import { devicesQuery } from "../features/devices/queries.ts";
import { Loaded } from "../kit/loaded.tsx";

export function AccountDevices() {
  return (
    <PageFrame id="account-devices">
      <Loaded query={useQuery(devicesQuery)} what="the devices">
        {({ items }) => <DeviceTable devices={items} />}
      </Loaded>
    </PageFrame>
  );
}
