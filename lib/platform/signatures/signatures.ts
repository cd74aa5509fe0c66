import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";

/** Text or raw bytes. */
export type Part = string | Uint8Array;

const hmac = (key: Part, parts: readonly Part[]): Buffer => {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

/** HMAC-SHA256 of the parts, one after the other, in lower-case hex. Text keys and parts are UTF-8. */
export const hmacHex = (key: Part, ...parts: readonly Part[]): string =>
  hmac(key, parts).toString("hex");

/** HMAC-SHA256 of the parts, one after the other, in base64 with padding. */
export const hmacBase64 = (key: Part, ...parts: readonly Part[]): string =>
  hmac(key, parts).toString("base64");

/** SHA-256 in lower-case hex. */
export const sha256Hex = (...parts: readonly Part[]): string => sha256(...parts).toString("hex");

const sha256 = (...parts: readonly Part[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Compares a received text with the expected one in constant time, by their hashes. */
export const sameText = (given: string | undefined, expected: string): boolean =>
  given !== undefined && timingSafeEqual(sha256(given), sha256(expected));

/** Maximum signatures of one request that are compared; a rotation of secrets needs two. */
export const maxSignatures = 16;

/** Bytes of base64, with or without padding; undefined for any other text, one with stray bits included. */
export const readBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, "base64");
  const unpadded = (value: string) => value.replace(/={1,2}$/, "");
  return unpadded(bytes.toString("base64")) === unpadded(text) ? bytes : undefined;
};

/** Bytes of hex; undefined for any other text. */
export const readHex = (text: string): Buffer | undefined =>
  /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, "hex") : undefined;

/** Whether an Ed25519 signature (RFC 8032) of the parts is right; false for a key or signature of another size. */
export const isEd25519 = (
  publicKey: Uint8Array | undefined,
  signature: Uint8Array | undefined,
  ...parts: readonly Part[]
): boolean => {
  if (publicKey?.byteLength !== 32 || signature?.byteLength !== 64) return false;
  const x = Buffer.from(publicKey).toString("base64url");
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.concat(parts.map((part) => Buffer.from(part))), key, signature);
  } catch {
    return false;
  }
};
