/** Returns the module to load for a source file: in a bundle, the file that infra/build compiled. */
export const resolveModule = (source: string): string =>
  import.meta.url.endsWith(".ts") ? source : source.replace(/\.ts$/, ".mjs");
