import { isUtf16 } from "./decode-file-text.ts";
import { FileRefused } from "./file-refused.ts";

/** The format that a file's text is extracted from. */
export type FileKind = "text" | "html" | "csv" | "json" | "json-lines" | "pdf" | "docx";

/** An uploaded file. */
export type UploadedFile = {
  readonly name: string;
  /** Media type that the caller sent; "" for none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
};

const kindsByExtension: Readonly<Record<string, FileKind>> = {
  txt: "text",
  text: "text",
  log: "text",
  md: "text",
  markdown: "text",
  rst: "text",
  html: "html",
  htm: "html",
  xhtml: "html",
  csv: "csv",
  tsv: "csv",
  json: "json",
  jsonl: "json-lines",
  ndjson: "json-lines",
  pdf: "pdf",
  docx: "docx",
};

const kindsByType: Readonly<Record<string, FileKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/csv": "csv",
  "application/json": "json",
  "application/x-ndjson": "json-lines",
  "application/jsonl": "json-lines",
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
};

/** Bytes in which a NUL means that a file is not text, as Git decides. */
const sniffedBytes = 8_000;

/**
 * Returns the kind of a file: by the extension of its name, else by its media type, else by its
 * content. Throws FileRefused for any other file.
 */
export const detectFileKind = ({ name, contentType, bytes }: UploadedFile): FileKind => {
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const named = kindIn(kindsByExtension, extension) ?? kindIn(kindsByType, type);
  if (named === "pdf" || named === "docx") return named;
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return "pdf";
  if (bytes.subarray(0, sniffedBytes).includes(0) && !isUtf16(bytes)) {
    throw new FileRefused("is not text, Markdown, HTML, PDF, DOCX, JSON or CSV.");
  }
  return named ?? "text";
};

const kindIn = (kinds: Readonly<Record<string, FileKind>>, name: string): FileKind | undefined =>
  Object.hasOwn(kinds, name) ? kinds[name] : undefined;
