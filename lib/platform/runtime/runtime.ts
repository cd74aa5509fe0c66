import { randomBytes } from "node:crypto";

/** Unix milliseconds, now. */
export type Clock = () => number;

/** Time and randomness, injected for tests. */
export type Runtime = {
  clock: Clock;
  /** Cryptographically strong random bytes. */
  randomBytes: (count: number) => Uint8Array;
};

/** The machine's own clock and randomness. */
export const systemRuntime: Runtime = { clock: Date.now, randomBytes };

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Creates a version 7 uuid (RFC 9562), which sorts by creation time. */
export const newUuid = ({ clock, randomBytes }: Runtime): string =>
  uuidAt(clock(), randomBytes(10));

/** Creates the nth version 7 uuid of a moment; sorts after the ones before it. */
export const nthUuid = (time: number, nth: number, randomBytes: Runtime["randomBytes"]): string =>
  uuidAt(time + (nth >> 12), Uint8Array.of(nth >> 8, nth, ...randomBytes(8)));

/** The uuid, version 7, of a moment and ten random bytes. */
export const uuidAt = (time: number, random: Uint8Array): string => {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time) << 16n);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const digits = hex(bytes);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
};

/** Returns the creation time of a version 7 uuid, Unix milliseconds. */
export const parseUuidTime = (uuid: string): number =>
  Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
