import { followRedirects } from "../../../platform/outgoing/follow-redirects.ts";
import { OutgoingError } from "../../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import type { SourceContext } from "../source.ts";
import { streamHtmlText } from "../text/html-to-text.ts";
import { isOutOfReach, notUnderstood } from "./read-json.ts";

/** How much of a file is read, in bytes. */
export const longestFile = 10 * 1024 * 1024;

const textTypes =
  /^(?:text\/(?!rtf|richtext).+|application\/(?:(?:.+\+)?(?:json|xml)|csv|markdown|(?:x-)?yaml|x-ndjson))$/;
const textNames = /\.(?:txt|text|md|markdown|csv|tsv|json|ndjson|xml|ya?ml|html?|log|rst)$/i;
const unknownTypes = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/** Whether a file is text that is counted: by its media type, or by its name where that says nothing. */
export function isTextFile(mediaType: string | null | undefined, fileName: string): boolean {
  const type = essence(mediaType);
  return unknownTypes.has(type) ? textNames.test(fileName) : textTypes.test(type);
}

const essence = (mediaType: string | null | undefined) =>
  mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";

/** A text file to read. */
export type TextFile = {
  readonly url: string | URL;
  readonly mediaType?: string | null | undefined;
  readonly fileName: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The text of a file, in pieces: its first 10 MiB, or what the fetch lets through of it; HTML as a reader sees it. Redirects are followed; another
 * origin does not get the headers.
 */
export async function* readTextFile(
  context: SourceContext,
  file: TextFile,
): AsyncGenerator<string> {
  const response = await openFile(context, file);
  const isHtml = /^text\/html$/.test(essence(file.mediaType)) || /\.html?$/i.test(file.fileName);
  const text = decode(response);
  yield* isHtml ? streamHtmlText(text, context.charge) : text;
}

/** The same for a file that goes with a document: when it is gone or not for these credentials, it has no text. */
export async function* readAttachment(
  context: SourceContext,
  file: TextFile,
): AsyncGenerator<string> {
  try {
    yield* readTextFile(context, file);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
  }
}

async function openFile(context: SourceContext, file: TextFile): Promise<Response> {
  const url = new URL(file.url);
  return followRedirects(
    { url, headers: file.headers },
    (hop) => context.fetch(hop.url, { headers: { ...hop.headers } }),
    (hop, { location }) => {
      const next = parseAddress(location, hop.url);
      if (!next) throw notUnderstood(hop.url, "redirects to nowhere");
      return { url: next, headers: next.origin === url.origin ? file.headers : {} };
    },
  );
}

async function* decode(response: Response): AsyncGenerator<string> {
  const decoder = decoderFor(response.headers.get("content-type"));
  let left = longestFile;
  try {
    for await (const chunk of response.body ?? []) {
      const bytes: Uint8Array = chunk;
      yield decoder.decode(bytes.subarray(0, left), { stream: true });
      left -= bytes.length;
      if (left <= 0) return;
    }
  } catch (error) {
    if (!(error instanceof OutgoingError && error.kind === "too-large")) throw error;
  }
  yield decoder.decode();
}

function decoderFor(contentType: string | null) {
  const charset = /charset="?([^";\s]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
