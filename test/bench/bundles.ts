import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFunctions } from "../../infra/build/build-functions.ts";
import type { Topic } from "./bench.ts";

const kilobytes = (bytes: number): number => Math.round(bytes / 1_000);

/** Sizes of the functions: the files read at a cold start, and including those loaded on first use. */
export const bundles: Topic = async () => {
  const outdir = mkdtempSync(join(tmpdir(), "wharf-bench-bundles-"));
  try {
    const built = await buildFunctions({ outdir });
    return {
      title: "bundles: minified size of each function",
      columns: ["function", "start, KB", "total, KB"],
      rows: built
        .toSorted((left, right) => right.startBytes - left.startBytes)
        .map(({ name, startBytes, totalBytes }) => [
          name,
          kilobytes(startBytes),
          kilobytes(totalBytes),
        ]),
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
};
