import { join } from "node:path";

const directory = join(import.meta.dirname, "../../node_modules/.cache/wharf-tests");

/** Makes the processes that this one starts keep their compiled code, so that it is compiled once. */
export const shareCompiledCode = (): void => {
  process.env.NODE_COMPILE_CACHE ??= directory;
};
