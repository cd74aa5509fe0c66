import { htmlToText } from "../../values/text/html-to-text.ts";
import { decodeFileText } from "./decode-file-text.ts";
import { detectFileKind, type FileKind, type UploadedFile } from "./file-kind.ts";
import { fileLimits } from "./file-limits.ts";
import { FileRefused } from "./file-refused.ts";

/** The text of a file, or why there is none. */
export type Extracted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Reads the text of a file. */
export const run = async (file: UploadedFile): Promise<Extracted> => {
  try {
    const text = await readers[detectFileKind(file)](file);
    if (text.trim() === "") throw new FileRefused("has no text.");
    if (text.length > fileLimits.characters) {
      throw new FileRefused(`has more than ${fileLimits.characters} characters of text.`);
    }
    return { ok: true, text: text.toWellFormed() };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return { ok: false, reason: error.message };
  }
};

const unlimited = (): void => undefined;

/** The libraries for each kind are loaded when a file needs them. */
const readers: Readonly<Record<FileKind, (file: UploadedFile) => Promise<string> | string>> = {
  text: ({ bytes, contentType }) => decodeFileText(bytes, contentType),
  html: ({ bytes, contentType }) => htmlToText(decodeFileText(bytes, contentType), unlimited),
  csv: async ({ bytes, contentType }) => {
    const { csvToText } = await import("./read-csv.ts");
    return csvToText(decodeFileText(bytes, contentType));
  },
  json: async ({ bytes, contentType }) => {
    const { jsonToText } = await import("./read-json.ts");
    return jsonToText(decodeFileText(bytes, contentType));
  },
  "json-lines": async ({ bytes, contentType }) => {
    const { jsonLinesToText } = await import("./read-json.ts");
    return jsonLinesToText(decodeFileText(bytes, contentType));
  },
  pdf: async ({ bytes }) => {
    const { pdfToText } = await import("./read-pdf.ts");
    return pdfToText(bytes);
  },
  docx: async ({ bytes }) => {
    const { docxToText } = await import("./read-docx.ts");
    return docxToText(bytes);
  },
};
