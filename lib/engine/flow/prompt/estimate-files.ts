import type { FlowFile } from "../../flow-file.ts";
import { findMediaKind, isTextType } from "../../models/file-kinds.ts";
import type { ModelMessage, ModelProvider } from "../../models/model.ts";
import { maxFileTextBytes } from "./file-parts.ts";

/** Estimated tokens of files, and a bound that they do not exceed as far as services document it. */
export type FileTokens = { readonly expected: number; readonly most: number };

const bytesPerToken = 4;

/** Anthropic's guide "Vision": an image of the largest size that is not scaled down, about 1,600 tokens. */
const imageTokens = 1_600;
/** Anthropic's guide "Vision": 4,784 tokens of the models with the highest resolution; more than 1,445 of GPT-4o and 2,240 of Gemini 3. */
const mostImageTokens = 5_000;
/** OpenAI's guide "Images and vision": GPT-4o mini counts 2,833 tokens and 5,667 for each of at most 8 tiles. */
const mostMiniTokens = 2_833 + 8 * 5_667;
const countsManyTokens = /gpt-4o-mini/;
/** Anthropic's guide "PDF support": up to 3,000 tokens of text of a page, and its image. */
const pageTokens = 3_000 + imageTokens;
const mostPageTokens = 3_000 + mostImageTokens;
/** Bytes of a page, about. No source: those of PDF files with text and pictures. */
const pageBytes = 50_000;
/** No source: a page with little more than its own object and fonts of the file. */
const leastPageBytes = 2_000;
/** Gemini's guide "Audio understanding": 32 tokens a second; other services count fewer. */
const audioTokensPerSecond = 32;
/** Bytes of a second: 128 kbit/s; at least the 6 kbit/s of the codec Opus (RFC 6716). */
const audioBytesPerSecond = 16_000;
const leastAudioBytesPerSecond = 750;
/** The longest input of a model that services document, for one file. */
const longestInput = 2_000_000;

/** A model that gets files. */
type Receiver = { readonly provider: Pick<ModelProvider, "takes">; readonly model: string };

/** Estimates and bounds the tokens of a file by its kind and size. */
export const estimateFile = (
  { mediaType, bytes }: Pick<FlowFile, "mediaType" | "bytes">,
  receiver?: Receiver,
): FileTokens => {
  const { expected, most } = estimateKind({ mediaType, bytes }, receiver);
  return {
    expected: Math.min(Math.ceil(expected), longestInput),
    most: Math.min(Math.ceil(most), longestInput),
  };
};

const estimateKind = (
  { mediaType, bytes }: Pick<FlowFile, "mediaType" | "bytes">,
  receiver: Receiver | undefined,
): FileTokens => {
  switch (findMediaKind(mediaType)) {
    case "image": {
      const isCostly = countsManyTokens.test(receiver?.model ?? "");
      return { expected: imageTokens, most: isCostly ? mostMiniTokens : mostImageTokens };
    }
    case "pdf": {
      const text = estimateText(mediaType, bytes);
      const takes = receiver?.provider.takes?.(receiver.model, mediaType) ?? "unknown";
      if (receiver && takes !== "yes") return text;
      return {
        expected: Math.ceil(bytes / pageBytes) * pageTokens,
        most: Math.ceil(bytes / leastPageBytes) * mostPageTokens,
      };
    }
    case "audio":
    case "video":
      return {
        expected: (bytes / audioBytesPerSecond) * audioTokensPerSecond,
        most: (bytes / leastAudioBytesPerSecond) * audioTokensPerSecond,
      };
    case undefined:
      return estimateText(mediaType, bytes);
  }
};

/** Bytes of what surrounds the text of a file: its name, and a note that it was cut. */
const frameBytes = 1_024;

/** Text has at most a token per byte. That of a document may be longer than the document, which is compressed. */
const estimateText = (mediaType: string, bytes: number): FileTokens => ({
  expected: Math.min(bytes, maxFileTextBytes) / bytesPerToken,
  most: frameBytes + (isTextType(mediaType) ? Math.min(bytes, maxFileTextBytes) : maxFileTextBytes),
});

/** Estimates and bounds the tokens of all files of messages. */
export const estimateFiles = (
  messages: readonly ModelMessage[],
  receiver?: Receiver,
): FileTokens => {
  const files = messages.flatMap((message) =>
    message.role === "user" ? (message.files ?? []) : [],
  );
  const tokens = files.map((file) => estimateFile(file, receiver));
  return {
    expected: tokens.reduce((sum, { expected }) => sum + expected, 0),
    most: tokens.reduce((sum, { most }) => sum + most, 0),
  };
};
