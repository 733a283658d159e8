/** @module `/account/devices`. */
import { MonitorSmartphone } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { deviceName } from "../features/devices/device-name.ts";
import { DeviceTable } from "../features/devices/parts/device-table.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";

export function AccountDevices() {
  const query = useOperation("listDevices", {});
  return (
    <PageFrame id="account-devices">
      <PageList
        id="account-devices"
        query={query}
        noun="devices"
        icon={MonitorSmartphone}
        textOf={(device) => `${deviceName(device)} ${device.ipAddress ?? ""}`}
      >
        {(shown) => <DeviceTable devices={shown} />}
      </PageList>
    </PageFrame>
  );
}
