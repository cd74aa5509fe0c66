import { posix } from "node:path";

const elsewhere = /^(?:[a-z][a-z\d+.-]*:|[\\/#?])/i;
const unsound = /\p{Cc}/u;

/**
 * Returns the path, relative to the skill's folder, of the file that a link refers to. Undefined for other
 * sites, anchors, folders and paths outside the folder.
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
