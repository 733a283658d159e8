import { expect, test } from "vitest";
import { addressInNetwork, zoneOfAddress } from "./addresses.ts";

const zones: [address: string, zone: string][] = [
  ["1.1.1.1", "public"],
  ["2606:4700:4700::1111", "public"],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.1", "public"],
  ["192.168.1.1", "private"],
  ["100.64.0.1", "private"],
  ["100.128.0.1", "public"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["0.0.0.0", "loopback"],
  ["0.1.2.3", "reserved"],
  ["169.254.1.1", "link-local"],
  ["169.254.169.254", "link-local"],
  ["100.100.100.200", "metadata"],
  ["fd00:ec2::254", "metadata"],
  ["192.0.2.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["203.0.113.9", "reserved"],
  ["224.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
  ["::1", "loopback"],
  ["::", "loopback"],
  ["fc00::1", "private"],
  ["fdff::1", "private"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["ff02::1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["::ffff:169.254.169.254", "link-local"],
  ["::ffff:8.8.8.8", "public"],
  ["::ffff:0:10.0.0.1", "private"],
  ["::127.0.0.1", "loopback"],
  ["64:ff9b::7f00:1", "loopback"],
  ["64:ff9b::a9fe:a9fe", "link-local"],
  ["64:ff9b::808:808", "public"],
  ["64:ff9b:1::1", "private"],
  ["2002:7f00:1::", "loopback"],
  ["2002:0a00:0001::1", "private"],
  ["2001:0:a00:1::", "reserved"],
  ["4000::1", "reserved"],
  ["not an address", "reserved"],
];

test.each(zones)("%s is %s", (address, zone) => {
  expect(zoneOfAddress(address)).toBe(zone);
});

test("a network holds its own addresses and no others", () => {
  expect(addressInNetwork("10.1.2.3", "10.1.0.0/16")).toBe(true);
  expect(addressInNetwork("10.2.2.3", "10.1.0.0/16")).toBe(false);
  expect(addressInNetwork("10.1.2.3", "10.1.2.3")).toBe(true);
  expect(addressInNetwork("10.1.2.3", "10.1.2.3/99")).toBe(false);
  expect(addressInNetwork("fd00::5", "fd00::/8")).toBe(true);
  expect(addressInNetwork("10.1.2.3", "mcp.example")).toBe(false);
});
