import { posix } from "node:path";

const elsewhere = /^(?:[a-z][a-z\d+.-]*:|[\\/#?])/i;
const unsound = /\p{Cc}/u;

/**
 * The path, from the skill's folder, of the bundled file that a link leads to. Undefined for what is no file
 * in the folder: other sites, anchors, folders, and paths that leave it.
 */
export const bundledPath = (href: string): string | undefined => {
  if (elsewhere.test(href)) return undefined;
  const path = decoded(href.split(/[?#]/, 1)[0] ?? "").replaceAll("\\", "/");
  if (path === "" || elsewhere.test(path) || unsound.test(path)) return undefined;
  const normal = posix.normalize(path);
  const leaves = normal === ".." || normal.startsWith("../") || normal.startsWith("/");
  return leaves || normal === "." || normal.endsWith("/") ? undefined : normal;
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
