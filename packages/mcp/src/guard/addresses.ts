/** @module Where an IP address lies: on the public internet, in a private network, on this machine, or somewhere no client has business. */
import { isIP } from "node:net";

/**
 * `public`: the open internet. `private`: RFC 1918, unique-local, carrier NAT. `loopback`: this machine.
 * `link-local`: neighbours on the wire, and where clouds keep their metadata. `metadata`: known metadata services elsewhere.
 * `reserved`: multicast, documentation, benchmarking, future use.
 */
export type AddressZone = "public" | "private" | "loopback" | "link-local" | "metadata" | "reserved";

declare module "../failure.ts" {
  interface FailureDetails {
    /** Where the server that demands a token is; not for people. */
    zone?: AddressZone;
  }
}

type Range = readonly [cidr: string, zone: AddressZone];

interface Network {
  base: Uint8Array;
  bits: number;
}

// Order matters: the first match wins, so exact addresses stand before the networks that hold them.
const ranges4: readonly Range[] = [
  ["169.254.0.0/16", "link-local"],
  ["100.100.100.200/32", "metadata"],
  ["192.0.0.192/32", "metadata"],
  ["168.63.129.16/32", "metadata"],
  ["0.0.0.0/32", "loopback"],
  ["0.0.0.0/8", "reserved"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "private"],
  ["127.0.0.0/8", "loopback"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "reserved"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "reserved"],
  ["198.51.100.0/24", "reserved"],
  ["203.0.113.0/24", "reserved"],
  ["224.0.0.0/4", "reserved"],
  ["240.0.0.0/4", "reserved"],
];

const ranges6: readonly Range[] = [
  ["fd00:ec2::254/128", "metadata"],
  ["fd20:ce::254/128", "metadata"],
  ["::/128", "loopback"],
  ["::1/128", "loopback"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "private"],
  ["64:ff9b:1::/48", "private"],
  ["ff00::/8", "reserved"],
  ["100::/64", "reserved"],
  // Teredo among them.
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "reserved"],
  ["3fff::/20", "reserved"],
  ["5f00::/16", "reserved"],
];

/** IPv6 forms that carry an IPv4 address, and the byte where it starts: the zone is that of the inner address. */
const embedded4: readonly (readonly [cidr: string, offset: number])[] = [
  ["::ffff:0:0/96", 12],
  ["::ffff:0:0:0/96", 12],
  ["64:ff9b::/96", 12],
  ["2002::/16", 2],
  ["::/96", 12],
];

/** The zone of a literal address. Anything that is not an address is `reserved`, so that it is refused. */
export function zoneOfAddress(address: string): AddressZone {
  const bytes = bytesOfAddress(address);
  if (!bytes) return "reserved";
  if (bytes.length === 4) return zoneIn(bytes, ranges4);
  const zone = zoneIn(bytes, ranges6);
  if (zone !== "public") return zone;
  for (const [cidr, offset] of embedded4) {
    if (inNetwork(bytes, cidr)) return zoneIn(bytes.subarray(offset, offset + 4), ranges4);
  }
  // Only 2000::/3 is given out for the open internet.
  return ((bytes[0] ?? 0) & 0xe0) === 0x20 ? "public" : "reserved";
}

/** Whether an address lies in a network such as `10.0.0.0/8`; a bare address is a network of one. */
export function addressInNetwork(address: string, network: string): boolean {
  const bytes = bytesOfAddress(address);
  return bytes !== undefined && inNetwork(bytes, network);
}

function zoneIn(bytes: Uint8Array, ranges: readonly Range[]): AddressZone {
  return ranges.find(([cidr]) => inNetwork(bytes, cidr))?.[1] ?? "public";
}

function inNetwork(bytes: Uint8Array, cidr: string): boolean {
  const network = parseNetwork(cidr);
  if (!network || network.base.length !== bytes.length) return false;
  const { base, bits } = network;
  for (let at = 0; at < bits; at += 8) {
    const mask = bits - at >= 8 ? 0xff : (0xff << (8 - (bits - at))) & 0xff;
    if (((bytes[at / 8] ?? 0) & mask) !== ((base[at / 8] ?? 0) & mask)) return false;
  }
  return true;
}

/** Every socket is checked against every range, so each is read once. Exceptions are few and written by an operator. */
const networks = new Map<string, Network | undefined>();

function parseNetwork(cidr: string): Network | undefined {
  if (networks.has(cidr)) return networks.get(cidr);
  const [text = "", length] = cidr.split("/");
  const base = bytesOfAddress(text);
  const bits = length === undefined ? (base?.length ?? 0) * 8 : Number(length);
  const valid = base !== undefined && Number.isInteger(bits) && bits >= 0 && bits <= base.length * 8;
  const network = valid ? { base, bits } : undefined;
  networks.set(cidr, network);
  return network;
}

function bytesOfAddress(address: string): Uint8Array | undefined {
  const plain = address.split("%")[0] ?? "";
  const family = isIP(plain);
  if (family === 4) return Uint8Array.from(plain.split("."), Number);
  if (family !== 6) return undefined;
  const dotted = plain.lastIndexOf(".") === -1 ? plain : withHexTail(plain);
  const [head = "", tail] = dotted.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...front, ...new Array<string>(8 - front.length - back.length).fill("0"), ...back];
  return Uint8Array.from(
    groups.flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    }),
  );
}

/** `::ffff:127.0.0.1` as `::ffff:7f00:1`. */
function withHexTail(address: string): string {
  const at = address.lastIndexOf(":") + 1;
  const [a = 0, b = 0, c = 0, d = 0] = address.slice(at).split(".").map(Number);
  return `${address.slice(0, at)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
