import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { check } from "recheck";
import packageJson from "../../package.json" with { type: "json" };

/** How the work of matching grows with the text: linearly, faster, or the checker cannot tell. */
export type Cost = "linear" | "super-linear" | "unknown";

const checkTimeoutMilliseconds = 120_000;
const cacheFolder = join(
  import.meta.dirname,
  "../../node_modules/.cache/wharf-patterns",
  packageJson.devDependencies.recheck,
);

/** Returns what matching a pattern costs on hostile text. Verdicts are cached on disk by pattern and flags. */
export const costOfPattern = async (pattern: string, flags: string): Promise<Cost> => {
  const name = createHash("sha256").update(`${flags}/${pattern}`).digest("hex");
  const path = join(cacheFolder, name);
  const cached = await readFile(path, "utf8").catch(() => undefined);
  if (cached === "linear" || cached === "super-linear") return cached;
  const { status } = await check(pattern, flags, { timeout: checkTimeoutMilliseconds });
  if (status === "unknown") return "unknown";
  const cost = status === "safe" ? "linear" : "super-linear";
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(path, cost);
  return cost;
};
