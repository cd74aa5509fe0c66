import { baseAddresses } from "./base-addresses.ts";
import type { ProviderSettings, ProviderType } from "./provider-settings.ts";

/** Whether a model takes a kind of file; `unknown` where only its service can say. */
export type Takes = "yes" | "no" | "unknown";

/** The kinds of files that a model takes as they are. Text is taken by every model. */
export type FileKinds = { readonly images: Takes; readonly pdf: Takes; readonly audio: Takes };

/** A kind of file that no model gets as text. */
export type MediaKind = "image" | "pdf" | "audio" | "video";

const aliases: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/wave": "audio/wav",
  "audio/x-wav": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "application/x-pdf": "application/pdf",
};

/** Returns a media type without parameters, under the name that services know. */
export const toMediaType = (text: string): string => {
  const [type = ""] = text.split(";");
  const plain = type.trim().toLowerCase();
  return aliases[plain] ?? plain;
};

const textType =
  /^text\/|^application\/(json|xml|yaml|x-yaml|javascript|x-javascript|x-ndjson|jsonl|toml|sql|graphql|x-sh|x-www-form-urlencoded)$|\+(json|xml|yaml)$/;

/** Returns whether files of a media type are text as they are. */
export const isTextType = (mediaType: string): boolean => textType.test(toMediaType(mediaType));

/** Returns the kind of a media type, or of a pattern such as `image/*`; undefined for text and other documents. */
export const findMediaKind = (mediaType: string): MediaKind | undefined => {
  const plain = toMediaType(mediaType);
  if (isTextType(plain)) return undefined;
  if (plain === "application/pdf") return "pdf";
  const [start] = plain.split("/");
  return start === "image" || start === "audio" || start === "video" ? start : undefined;
};

const all: FileKinds = { images: "yes", pdf: "yes", audio: "yes" };

/** Models of OpenAI that take only text (platform.openai.com/docs/models). */
const oldGpt =
  /^(gpt-3\.5|gpt-4(-32k)?(-\d{4})?$|gpt-4-(\d{4}|turbo)-preview|gpt-oss|o1-(mini|preview)|o3-mini|davinci|babbage)/;
/** Models of OpenAI that take images, and PDF files as images and text (guide "File inputs"). */
const seeingGpt = /^(chatgpt-|gpt-(4o|4\.|[5-9])|o[1-9])/;
const oldClaude = /claude-(v?[12]\b|instant)/;
/** Models of Anthropic that read PDF files (guide "PDF support"): those since Claude 3.5. */
const readingClaude = /claude-(3-[57]|[a-z]+-[4-9]|[4-9])/;
/** The first models of Gemini, and those that only speak. */
const oldGemini = /^gemini-((1\.0-)?pro(-\d{3}|-latest)?$|.*-tts)|^gemma-3-1b/;
const gemini = /^gemini-/;
/** Models on Bedrock that take only text (user guide, "Supported foundation models"). */
const readingOnly =
  /amazon\.(titan-text|nova-micro)|ai21\.|cohere\.command|meta\.llama(2|3-(\d+b|1-|2-[13]b|3-))|mistral\.(mistral-(7b|large-240|small-240)|mixtral)|deepseek\.|openai\.gpt-oss/;
const seeingNova = /amazon\.nova-(lite|pro|premier|2)/;

/** Kinds by type of service and model. A service's converter decides on audio: those of OpenAI's Responses, Anthropic's Messages and Bedrock's Converse have none. */
const kindsByType: Record<ProviderType, (model: string) => FileKinds> = {
  openai: (model) => {
    if (oldGpt.test(model)) return { images: "no", pdf: "no", audio: "no" };
    const seen = seeingGpt.test(model) ? "yes" : "unknown";
    return { images: seen, pdf: seen, audio: "no" };
  },
  anthropic: (model) => findClaudeKinds(model),
  google: (model) => {
    if (oldGemini.test(model)) return { images: "no", pdf: "no", audio: "no" };
    return gemini.test(model) ? all : { images: "unknown", pdf: "unknown", audio: "unknown" };
  },
  bedrock: (model) => {
    if (/anthropic\.claude/.test(model)) return findClaudeKinds(model);
    if (readingOnly.test(model)) return { images: "no", pdf: "no", audio: "no" };
    const seen = seeingNova.test(model) ? "yes" : "unknown";
    return { images: seen, pdf: seen, audio: "no" };
  },
  "openai-compatible": () => ({ images: "unknown", pdf: "unknown", audio: "unknown" }),
};

const findClaudeKinds = (model: string): FileKinds => {
  if (oldClaude.test(model)) return { images: "no", pdf: "no", audio: "no" };
  const isKnown = /claude-/.test(model);
  return {
    images: isKnown ? "yes" : "unknown",
    pdf: readingClaude.test(model) ? "yes" : "unknown",
    audio: "no",
  };
};

/** Returns the kinds of files that a model of a provider takes. A server of another address may give an old name to any model. */
export const findFileKinds = (
  { type, baseUrl }: Pick<ProviderSettings, "type" | "baseUrl">,
  model: string,
): FileKinds => {
  const { images, pdf, audio } = kindsByType[type](model);
  const isOwn = baseUrl === null || Object.values<string>(baseAddresses).includes(baseUrl);
  const known = (takes: Takes) => (takes === "no" && !isOwn ? "unknown" : takes);
  // No server gets audio from a package that has no form for it.
  return {
    images: known(images),
    pdf: known(pdf),
    audio: type === "google" ? known(audio) : audio,
  };
};

/** Images that services take (guides "Images and vision", "Vision" and "Image understanding", API reference of Converse). */
const commonImage = /^image\/(png|jpeg|gif|webp|\*)$/;
const googleImage = /^image\/(png|jpeg|webp|heic|heif|\*)$/;
/** Audio that Gemini takes (guide "Audio understanding"). */
const googleAudio = /^audio\/(wav|mpeg|aiff|aac|ogg|flac|\*)$/;
/** Audio that OpenAI's Chat Completions API has a form for. */
const chatAudio = /^audio\/(wav|mpeg|\*)$/;

/** Returns whether a model takes files of a media type, or of a pattern such as `image/*`, as they are. */
export const takesMediaType = (
  provider: Pick<ProviderSettings, "type" | "baseUrl">,
  model: string,
  mediaType: string,
): Takes => {
  const plain = toMediaType(mediaType);
  const { images, pdf, audio } = findFileKinds(provider, model);
  const { type } = provider;
  switch (findMediaKind(plain)) {
    case "image":
      if (type === "google") return googleImage.test(plain) || images === "no" ? images : "unknown";
      if (type === "openai-compatible") return images;
      return commonImage.test(plain) ? images : "no";
    case "audio":
      if (type === "google") return googleAudio.test(plain) || audio === "no" ? audio : "unknown";
      return type === "openai-compatible" && !chatAudio.test(plain) ? "no" : audio;
    case "pdf":
      return pdf;
    default:
      return "no";
  }
};
