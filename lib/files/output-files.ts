import { FlowFile } from "../engine/flow-file.ts";
import { isUuid } from "../platform/http/ids.ts";
import { maxFilesOfInput } from "../values/json/file-value.ts";
import { isRecord } from "../values/json/json.ts";

/** Most files of an output that a protocol links. */
const maxLinked = maxFilesOfInput;

/** Base URL of the API for a caller, and the tenant of its files. */
export type FilesPlace = { readonly baseUrl: string; readonly tenantId: string };

/** Builds the address of a file's content. */
export const buildContentUrl = ({ baseUrl, tenantId }: FilesPlace, fileId: string): string =>
  `${baseUrl}/v1/tenants/${tenantId}/files/${fileId}/content`;

/** A file with the address of its content. */
export type LinkedFile = FlowFile & { readonly url: string };

const StrictFile = FlowFile.strict();
/** An output has files in its members, or in lists of them. */
const maxDepth = 2;

const findFiles = (value: unknown, depth: number): FlowFile[] => {
  if (!isRecord(value) && !Array.isArray(value)) return [];
  const { data } = "mediaType" in value ? StrictFile.safeParse(value) : {};
  if (data && isUuid(data.id)) return [data];
  return depth === 0
    ? []
    : Object.values(value).flatMap((member: unknown) => findFiles(member, depth - 1));
};

/** Lists the different files in a value, down to a depth. */
export const listFiles = (value: unknown, depth: number): FlowFile[] => [
  ...new Map(findFiles(value, depth).map((file) => [file.id, file])).values(),
];

/** Finds the files of an output, with the addresses of their content, which callers who may read the execution may read. */
export const linkOutputFiles = (output: unknown, place: FilesPlace): LinkedFile[] => {
  return listFiles(output, maxDepth)
    .slice(0, maxLinked)
    .map((file) => ({
      ...file,
      url: buildContentUrl(place, file.id),
    }));
};
