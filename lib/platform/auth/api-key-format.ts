import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretBytes = 32;
/** 62^43 > 2^256 and 62^6 > 2^32: enough digits for the secret and for the checksum. */
const secretLength = 43;
const checksumLength = 6;

/** Accepted key prefixes: new keys have `prefix` and a checksum; keys with earlier prefixes have no checksum. */
export type KeyPrefixes = { prefix: string; earlierPrefixes: readonly string[] };

const toBase62 = (value: bigint, length: number): string => {
  let rest = value;
  let text = "";
  for (let position = 0; position < length; position += 1) {
    text = (digits[Number(rest % 62n)] ?? "") + text;
    rest /= 62n;
  }
  return text;
};

const computeChecksum = (body: string): string => toBase62(BigInt(crc32(body)), checksumLength);

/**
 * Makes a key: `<prefix>_live_<secret>`, the secret being 32 random bytes in base62 (43 characters)
 * and then the CRC-32 of everything before it in base62 (6 characters).
 */
export const makeApiKey = (prefix: string, randomBytes: (count: number) => Uint8Array): string => {
  const secret = BigInt(`0x${Buffer.from(randomBytes(secretBytes)).toString("hex")}`);
  const body = `${prefix}_live_${toBase62(secret, secretLength)}`;
  return body + computeChecksum(body);
};

/** Returns whether a string has the format of a key, without a storage call. */
export const isApiKey = (key: string, { prefix, earlierPrefixes }: KeyPrefixes): boolean => {
  const split = /^([A-Za-z0-9-]+)_live_([0-9A-Za-z]{16,200})$/.exec(key);
  if (!split) return false;
  if (earlierPrefixes.includes(split[1] ?? "")) return true;
  if (split[1] !== prefix || split[2]?.length !== secretLength + checksumLength) return false;
  return key.slice(-checksumLength) === computeChecksum(key.slice(0, -checksumLength));
};

/** Returns whether a credential begins as a key does, whether or not it is one. */
export const hasKeyPrefix = (text: string, { prefix, earlierPrefixes }: KeyPrefixes): boolean =>
  [prefix, ...earlierPrefixes].some((known) => text.startsWith(`${known}_live_`));

/** Returns the SHA-256 of a key in hex, which is all that is stored of it. */
export const hashApiKey = (key: string): string => createHash("sha256").update(key).digest("hex");
