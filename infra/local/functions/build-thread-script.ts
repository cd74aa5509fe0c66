import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL("function-thread.ts", import.meta.url));

/** Compiles the script of function threads to `file`. */
export const buildThreadScript = async (file: string): Promise<void> => {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    write: false,
  });
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, outputFiles[0]?.contents ?? "");
  renameSync(draft, file);
};
