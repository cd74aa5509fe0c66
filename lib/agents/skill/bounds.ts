/**
 * How large a skill may be: lengths in UTF-16 units, sizes in bytes. Each part is bounded by itself, so that
 * a change of some of them needs no look at the others, and all of them together fit in an item (400 KB).
 */
export const bounds = {
  displayName: 200,
  description: 4_096,
  instructionsBytes: 256 * 1024,
  tools: 100,
  toolsBytes: 32 * 1024,
  resources: 500,
  resourcesBytes: 64 * 1024,
  assetId: 1_024,
} as const;

/** Bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A refinement, with its message: the value's JSON has at most so many bytes. */
export const fitsIn = (bytes: number): [(value: unknown) => boolean, string] => [
  (value) => jsonBytes(value) <= bytes,
  `may have at most ${bytes} bytes of JSON in all`,
];
