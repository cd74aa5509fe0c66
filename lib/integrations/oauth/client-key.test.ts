import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { describe, expect, test } from "vitest";
import { chooseAlgorithm, readClientKey } from "./client-key.ts";

const generateRsa = (modulusLength = 2_048) =>
  generateKeyPairSync("rsa", { modulusLength }).privateKey;
const toPem = (key: KeyObject) => `${key.export({ type: "pkcs8", format: "pem" })}`;

/** Encodes a value of DER. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

/** Creates a certificate of a key, which it signs itself. */
const certify = (key: KeyObject): Buffer => {
  const sha256WithRsa = Buffer.from("300d06092a864886f70d01010b0500", "hex");
  const name = der(
    0x30,
    der(0x31, der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("wharf")))),
  );
  const time = (text: string) => der(0x17, Buffer.from(text));
  const validity = der(0x30, time("260101000000Z"), time("360101000000Z"));
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  const serial = der(0x02, Buffer.from([1]));
  const content = der(0x30, serial, sha256WithRsa, name, validity, name, spki);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", content, key));
  return der(0x30, content, sha256WithRsa, signature);
};

const toCertificatePem = (content: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${content.toString("base64")}\n-----END CERTIFICATE-----\n`;

describe("a client's private key", () => {
  test.each<[string, (key: KeyObject, certificate: string) => string]>([
    ["after", (key, certificate) => toPem(key) + certificate],
    ["before", (key, certificate) => certificate + toPem(key)],
  ])("with its certificate %s it is found by the certificate, and prefers PS256", (_, join) => {
    const key = generateRsa();
    const content = certify(key);
    const read = readClientKey(join(key, toCertificatePem(content)));
    expect(read?.header).toEqual({
      "x5t#S256": createHash("sha256").update(content).digest("base64url"),
    });
    expect(read && chooseAlgorithm(read, null)).toBe("PS256");
    expect(read && chooseAlgorithm(read, ["RS256"])).toBe("RS256");
  });

  test("is refused with the certificate of another key", () => {
    const text = toPem(generateRsa()) + toCertificatePem(certify(generateRsa()));
    expect(readClientKey(text)).toBeUndefined();
  });

  test.each([
    [1_024, undefined],
    [2_048, ["RS256", "PS256"]],
  ])("of RSA with %i bits has the algorithms %j", (bits, algorithms) => {
    expect(readClientKey(toPem(generateRsa(bits)))?.algorithms).toEqual(algorithms);
  });

  test("that is encrypted is refused", () => {
    const options = {
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "p",
    } as const;
    expect(readClientKey(`${generateRsa().export(options)}`)).toBeUndefined();
  });

  test("as a JWK names its id and its algorithm", () => {
    const jwk = { ...generateRsa().export({ format: "jwk" }), kid: "key-1", alg: "PS256" };
    const read = readClientKey(JSON.stringify(jwk));
    expect(read).toMatchObject({ header: { kid: "key-1" }, algorithms: ["PS256"] });
    expect(read && chooseAlgorithm(read, ["RS256"])).toBeUndefined();
    expect(readClientKey(JSON.stringify({ ...jwk, alg: "ES256" }))).toBeUndefined();
  });

  test.each([["EdDSA"], ["Ed25519"]])(
    "of Ed25519 signs by that name for a server that takes %s",
    (name) => {
      const { privateKey } = generateKeyPairSync("ed25519");
      const read = readClientKey(toPem(privateKey));
      expect(read && chooseAlgorithm(read, [name])).toBe(name);
      const named = JSON.stringify({ ...privateKey.export({ format: "jwk" }), alg: name });
      expect(readClientKey(named)?.algorithms).toEqual([name]);
      expect(read && chooseAlgorithm(read, ["ES256"])).toBeUndefined();
    },
  );
});
