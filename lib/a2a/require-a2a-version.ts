import { versionParameter } from "../edge/a2a-error.ts";
import { validationFailed } from "../platform/http/problems.ts";
import type { Headers } from "../platform/http/request.ts";
import { a2aVersion } from "./schemas.ts";

/**
 * Requires that a client names a version of A2A that these endpoints have, in the header or in the query. Without one it is 0.3.
 * Throws 400.
 */
export const requireA2aVersion = (
  headers: Headers,
  query: { [versionParameter]?: string | undefined },
): void => {
  const sent = headers.get(versionParameter.toLowerCase()) ?? [];
  const [version = query[versionParameter] ?? ""] = sent.filter((value) => value !== "");
  // The version of a patch makes no difference.
  if (version === a2aVersion || version.startsWith(`${a2aVersion}.`)) return;
  const detail = `must be ${a2aVersion}, the version of A2A that this agent has; without it, it is 0.3`;
  throw validationFailed([{ pointer: `header/${versionParameter}`, detail }]);
};
