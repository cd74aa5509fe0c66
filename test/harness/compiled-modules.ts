import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";

/** In unit tests, in place of lib/platform/sandbox/resolve-module.ts: a compiled thread starts in half of the processor time. */
export const resolveModule = (source: string): string => {
  const compiled = join(inject("sandboxModules"), basename(source).replace(/\.ts$/, ".mjs"));
  return existsSync(compiled) ? pathToFileURL(compiled).href : source;
};
