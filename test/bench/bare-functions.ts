import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildFunctions } from "../../infra/build/build-functions.ts";

/** Builds bare functions by name from files in `bare/`. `fileFor`: returns the bundle of one; `remove`: deletes all. */
export const buildBareFunctions = async (names: readonly string[]) => {
  const outdir = mkdtempSync(join(tmpdir(), "wharf-bench-bare-"));
  const built = await buildFunctions({
    outdir,
    functions: names.map((name) => ({
      name,
      handlers: [{ verb: "", file: fileURLToPath(new URL(`bare/${name}.ts`, import.meta.url)) }],
    })),
  });
  return {
    fileFor: (name: string): string => {
      const bare = built.find((candidate) => candidate.name === name);
      if (!bare) throw new Error(`there is no bare ${name}`);
      return join(bare.directory, "index.mjs");
    },
    remove: (): void => rmSync(outdir, { recursive: true, force: true }),
  };
};
