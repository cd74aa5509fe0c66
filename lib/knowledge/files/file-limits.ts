/** Limits of uploaded files; documented in docs/limits.md. */
export const fileLimits = {
  /** Bytes of a file that is sent as the body of a request. */
  directBytes: 4 * 1024 * 1024,
  /** Bytes of a file that is uploaded to a URL. */
  uploadedBytes: 64 * 1024 * 1024,
  /** Characters of a file's text. */
  characters: 10 * 1024 * 1024,
  /** Bytes of all parts of a DOCX file when they are expanded. */
  expandedBytes: 128 * 1024 * 1024,
  /** Bytes of one XML part of a DOCX file, which is read as a whole. */
  partBytes: 24 * 1024 * 1024,
  pages: 5_000,
  /** Processor time to read the text of a file, in milliseconds. */
  readMs: 60_000,
  /** Heap of the thread that reads files, in megabytes. */
  heapMegabytes: 1_024,
  /** The same in the functions of executions, which have half of the memory. */
  runHeapMegabytes: 256,
  /** Processor time to read the files of a run of an execution, in milliseconds. */
  runMs: 60_000,
} as const;
