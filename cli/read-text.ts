import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { usage } from "./exit.ts";
import type { Io } from "./io.ts";
import { readPiped } from "./prompt.ts";

/** Reads the file that an option names, or standard input for `-`. Throws a usage error. */
export const readText = async (file: string, io: Io): Promise<string> =>
  file === "-"
    ? await readPiped(io)
    : await readFile(resolve(io.cwd, file), "utf8").catch(() => {
        throw usage(`${file} cannot be read.`);
      });
