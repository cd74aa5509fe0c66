import type { FlowFile } from "../../flow-file.ts";

const maxNameLength = 200;

/** Names a file in a sentence: `The file "a.pdf" (application/pdf)`. */
export const nameFile = ({ name, mediaType }: Pick<FlowFile, "name" | "mediaType">): string =>
  `The file ${JSON.stringify(name.slice(0, maxNameLength).toWellFormed())} (${mediaType})`;
