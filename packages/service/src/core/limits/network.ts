/** @module What counts as one place that calls come from. */
import { isIPv6 } from "node:net";

/**
 * The address to count by. An IPv6 subscriber has a whole /64 and may call from a new address each time, so that network is one
 * place; an IPv4 address written as IPv6 is the IPv4 address.
 *
 * @example
 * networkOf("2001:db8::1"); // "2001:db8:0:0::/64"
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = "", tail] = ip.replace(/%.*$/, "").split("::");
  const groups = head === "" ? [] : head.split(":");
  // What `::` leaves out is zero; how many groups follow it says how much that is.
  const after = tail ? tail.split(":").flatMap((group) => (group.includes(".") ? [group, ""] : [group])) : [];
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => "0");
  const whole = tail === undefined ? groups : [...groups, ...zeros, ...after];
  const network = whole.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
