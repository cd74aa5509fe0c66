/**
 * Size limits of a skill: lengths in UTF-16 units, sizes in bytes. Each part has its own limit, so that an
 * update needs no read of the others, and all together fit in an item (400 KB).
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

/** Counts the bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Builds the arguments of a zod refinement that limits the bytes of a value's JSON. */
export const fitsIn = (bytes: number): [(value: unknown) => boolean, string] => [
  (value) => jsonBytes(value) <= bytes,
  `may have at most ${bytes} bytes of JSON in all`,
];
