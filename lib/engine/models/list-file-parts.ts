import type { FilePart, FileParts, UserMessage } from "./model.ts";

/** Lists the files of a message as its model gets them. Throws for one that the request does not have. */
export const listFileParts = (
  { files = [] }: Pick<UserMessage, "files">,
  parts: FileParts | undefined,
): FilePart[] =>
  files.map(({ id, name }) => {
    const part = parts?.get(id);
    if (part) return part;
    throw new Error(`the request has no content of the file ${id} (${name})`);
  });
