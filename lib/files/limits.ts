const mebibyte = 1024 * 1024;
const dayMs = 24 * 60 * 60_000;

/** Limits of files; documented in docs/limits.md. */
export const storedFileLimits = {
  /** Bytes of a file that is sent as the body of a request. */
  directBytes: 4 * mebibyte,
  /** Bytes of any file. */
  bytes: 64 * mebibyte,
  nameLength: 255,
  retentionDays: 365,
  defaultRetentionDays: 30,
  /** Time in which a file can be sent to the address of its upload, and the upload be completed. */
  uploadMs: 15 * 60_000,
  pendingMs: dayMs,
  /** Time to fetch the file at an address, and the files of all inputs of an execution. */
  fetchMs: 15_000,
  fetchAllMs: 20_000,
  /** Files that a function stores at the same time. */
  atOnce: 4,
  /** Bytes of the files of all Prompts that a function sends to models at the same time; one Prompt has 20 MiB. */
  promptBytesAtOnce: 40 * mebibyte,
} as const;
