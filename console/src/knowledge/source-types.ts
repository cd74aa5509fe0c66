import type { SourceType } from "../../../client/openapi.ts";

/**
 * The type of assets with uploaded documents. The list of types is that of estimates, which do not
 * support it.
 */
export const uploadType: SourceType = {
  key: "upload",
  displayName: "Uploaded files",
  parameters: [],
};

/** Returns the name of a type; its key if it is not known, and for none what an asset without a source is. */
export const typeLabel = (types: readonly SourceType[], key: string | null): string => {
  if (key === null) return "none";
  return [uploadType, ...types].find((type) => type.key === key)?.displayName ?? key;
};
