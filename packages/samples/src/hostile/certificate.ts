/**
 * A self-signed certificate for localhost with any dates, made at start: Node can sign but not write certificates, so the
 * few lines of DER are here, and no key lies in the repository.
 * @module
 */
import { generateKeyPairSync, sign } from "node:crypto";

const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const COMMON_NAME = der(0x06, Buffer.from("550403", "hex"));
const SUBJECT_ALT_NAME = der(0x06, Buffer.from("551d11", "hex"));

/** Key and certificate as PEM. */
export function selfSigned(validFrom: Date, validTo: Date): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("localhost")))));
  const names = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(generalizedTime(validFrom), generalizedTime(validTo)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, names)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const lines =
    sequence(body, ECDSA_WITH_SHA256, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return {
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function generalizedTime(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`));
}
