import { acceptsType, maxFilesOfInput } from "../../../../lib/values/json/file-value.ts";
import { formatBytes } from "../format.ts";

/** An input of the type File, as far as it decides which files it accepts. */
export type AcceptedFiles = {
  accept?: readonly string[] | null;
  maxBytes?: number | null;
  multiple?: boolean | null;
};

/** Bytes of any file. */
const largestFile = 64 * 1_024 * 1_024;

/** Returns why an input does not accept a file of that size; reads on after the file's name. */
export const findSizeRefusal = ({ maxBytes }: AcceptedFiles, bytes: number): string | undefined => {
  const most = Math.min(maxBytes ?? largestFile, largestFile);
  if (bytes === 0) return "is empty.";
  return bytes > most ? `has more than ${formatBytes(most)}.` : undefined;
};

/** Returns why an input does not accept a stored file; reads on after the file's name. */
export const findRefusal = (
  accepted: AcceptedFiles,
  { mediaType, bytes }: { mediaType: string; bytes: number },
): string | undefined => {
  const { accept } = accepted;
  if (acceptsType(accept, mediaType)) return findSizeRefusal(accepted, bytes);
  return `is of the type ${mediaType}. Accepted are ${accept?.join(", ")}.`;
};

/** Files that an input may have. */
export const countAccepted = ({ multiple }: AcceptedFiles): number =>
  multiple ? maxFilesOfInput : 1;

/** Describes which files an input accepts. */
export const describeAccepted = (accepted: AcceptedFiles): string => {
  const { accept, maxBytes } = accepted;
  const most = `up to ${formatBytes(maxBytes ?? largestFile)}`;
  const types = accept?.length ? `${accept.join(", ")}, ${most}` : `Any file ${most}`;
  return accepted.multiple ? `${types} each, at most ${maxFilesOfInput} files` : types;
};
