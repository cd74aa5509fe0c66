import { followRedirects } from "../../../platform/outgoing/follow-redirects.ts";
import { OutgoingError } from "../../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import { streamHtmlText } from "../../../values/text/html-to-text.ts";
import type { SourceContext } from "../../source.ts";
import { invalidResponse, isInaccessible } from "./fetch-json.ts";

/** Bytes that are read of a file. */
export const maxFileBytes = 10 * 1024 * 1024;

const textTypes =
  /^(?:text\/(?!rtf|richtext).+|application\/(?:(?:.+\+)?(?:json|xml)|csv|markdown|(?:x-)?yaml|x-ndjson))$/;
const textNames = /\.(?:txt|text|md|markdown|csv|tsv|json|ndjson|xml|ya?ml|html?|log|rst)$/i;
const unknownTypes = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/** Returns whether a file is text: by its media type, or by its name for a generic type. */
export const isTextFile = (mediaType: string | null | undefined, fileName: string): boolean => {
  const type = essence(mediaType);
  return unknownTypes.has(type) ? textNames.test(fileName) : textTypes.test(type);
};

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
 * Yields the text of a file's first 10 MiB; HTML without its markup. Follows redirects, without the headers to
 * another origin.
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

/** Like `readTextFile`, but yields nothing for a file that was deleted or that the credentials can't access. */
export async function* readAttachment(
  context: SourceContext,
  file: TextFile,
): AsyncGenerator<string> {
  try {
    yield* readTextFile(context, file);
  } catch (error) {
    if (!isInaccessible(error)) throw error;
  }
}

const openFile = async (context: SourceContext, file: TextFile): Promise<Response> => {
  const url = new URL(file.url);
  return followRedirects(
    { url, headers: file.headers },
    (hop) => context.fetch(hop.url, { headers: { ...hop.headers } }),
    (hop, { location }) => {
      const next = parseAddress(location, hop.url);
      if (!next) throw invalidResponse(hop.url, "sent an invalid redirect");
      return { url: next, headers: next.origin === url.origin ? file.headers : {} };
    },
  );
};

async function* decode(response: Response): AsyncGenerator<string> {
  const decoder = decoderFor(response.headers.get("content-type"));
  let left = maxFileBytes;
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

const decoderFor = (contentType: string | null) => {
  const charset = /charset="?([^";\s]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
};
