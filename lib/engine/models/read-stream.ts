import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { StreamedError } from "./streamed-error.ts";

/** Parts of a streamed response. */
export type CompleteResponse = Pick<
  LanguageModelV4GenerateResult,
  "content" | "finishReason" | "usage" | "structuredOutputText"
> & { readonly response?: { readonly modelId?: string | undefined } | undefined };

type Growing = { type: "text" | "reasoning"; text: string; providerMetadata?: Metadata };
type Metadata = NonNullable<LanguageModelV4Content["providerMetadata"]>;

/** Listeners of a streamed response: for its text, and for every part. */
export type StreamListeners = {
  readonly onDelta: (text: string) => void;
  readonly onProgress?: (() => void) | undefined;
};

/** Reads a streamed response to its end and emits its text. Throws when the stream ends early. */
export const readStream = async (
  stream: ReadableStream<LanguageModelV4StreamPart>,
  { onDelta, onProgress }: StreamListeners,
): Promise<CompleteResponse> => {
  const content: LanguageModelV4Content[] = [];
  const growing = new Map<string, Growing>();
  let modelId: string | undefined;
  for await (const part of stream) {
    onProgress?.();
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const type = part.type === "text-start" ? "text" : "reasoning";
        const grown: Growing = { type, text: "", ...pickMetadata(part) };
        growing.set(type + part.id, grown);
        content.push(grown);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const isText = part.type === "text-delta";
        grow(growing, `${isText ? "text" : "reasoning"}${part.id}`, part.delta, pickMetadata(part));
        if (isText && part.delta !== "") onDelta(part.delta);
        break;
      }
      case "text-end":
        grow(growing, `text${part.id}`, "", pickMetadata(part));
        break;
      case "reasoning-end":
        grow(growing, `reasoning${part.id}`, "", pickMetadata(part));
        break;
      case "tool-call":
        content.push(part);
        break;
      case "response-metadata":
        modelId = part.modelId ?? modelId;
        break;
      case "error":
        throw new StreamedError(part.error);
      case "finish":
        return {
          content,
          finishReason: part.finishReason,
          usage: part.usage,
          response: { modelId },
        };
      default:
    }
  }
  throw new Error("the stream is incomplete");
};

const grow = (
  growing: ReadonlyMap<string, Growing>,
  key: string,
  text: string,
  metadata: { providerMetadata?: Metadata },
): void => {
  const grown = growing.get(key);
  if (!grown) throw new Error("the stream continues a part that it did not start");
  grown.text += text;
  Object.assign(grown, metadata);
};

const pickMetadata = ({ providerMetadata }: { providerMetadata?: Metadata }) =>
  providerMetadata ? { providerMetadata } : {};
