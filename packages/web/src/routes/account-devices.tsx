/** @module `/account/devices`. */
import { useOperation } from "../api/operation.ts";
import { DeviceTable } from "../features/devices/parts/device-table.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { PageFrame } from "../pages/page-frame.tsx";

export function AccountDevices() {
  const query = useOperation("listDevices", {});
  return (
    <PageFrame id="account-devices">
      <Loaded query={query} what="the devices">
        {({ items }) => <DeviceTable devices={items} />}
      </Loaded>
    </PageFrame>
  );
}
