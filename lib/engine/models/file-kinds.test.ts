import { describe, expect, test } from "vitest";
import {
  findFileKinds,
  findMediaKind,
  isTextType,
  takesMediaType,
  toMediaType,
} from "./file-kinds.ts";
import type { ProviderType } from "./provider-settings.ts";

const kinds = (type: ProviderType, model: string, baseUrl: string | null = null) => {
  const { images, pdf, audio } = findFileKinds({ type, baseUrl }, model);
  return `${images} ${pdf} ${audio}`;
};

test.each<[ProviderType, string, string]>([
  ["openai", "gpt-5", "yes yes no"],
  ["openai", "gpt-4o-mini", "yes yes no"],
  ["openai", "gpt-4.1", "yes yes no"],
  ["openai", "o4-mini", "yes yes no"],
  ["openai", "o3-mini", "no no no"],
  ["openai", "gpt-4", "no no no"],
  ["openai", "gpt-4-0613", "no no no"],
  ["openai", "gpt-3.5-turbo", "no no no"],
  ["openai", "gpt-4-turbo", "unknown unknown no"],
  ["openai", "my-fine-tuned", "unknown unknown no"],
  ["anthropic", "claude-sonnet-4-5", "yes yes no"],
  ["anthropic", "claude-3-5-haiku-20241022", "yes yes no"],
  ["anthropic", "claude-3-opus-20240229", "yes unknown no"],
  ["anthropic", "claude-2.1", "no no no"],
  ["google", "gemini-3-pro", "yes yes yes"],
  ["google", "gemini-1.0-pro-001", "no no no"],
  ["google", "gemini-2.5-flash-preview-tts", "no no no"],
  ["google", "gemma-3-27b-it", "unknown unknown unknown"],
  ["bedrock", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "yes yes no"],
  ["bedrock", "anthropic.claude-v2:1", "no no no"],
  ["bedrock", "amazon.nova-micro-v1:0", "no no no"],
  ["bedrock", "us.amazon.nova-pro-v1:0", "yes yes no"],
  ["bedrock", "meta.llama3-1-8b-instruct-v1:0", "no no no"],
  ["bedrock", "meta.llama3-2-11b-instruct-v1:0", "unknown unknown no"],
  ["openai-compatible", "llama3.3", "unknown unknown unknown"],
])("%s: %s takes images, PDF, audio: %s", (type, model, expected) => {
  expect(kinds(type, model)).toBe(expected);
});

test("a server of another address may give an old name to any model", () => {
  expect(kinds("openai", "gpt-4", "https://gateway.example/v1")).toBe("unknown unknown no");
  expect(kinds("openai", "gpt-4", "https://api.openai.com/v1")).toBe("no no no");
});

describe("a media type", () => {
  const takes = (type: ProviderType, model: string, mediaType: string) =>
    takesMediaType({ type, baseUrl: null }, model, mediaType);

  test.each<[ProviderType, string, string, string]>([
    ["openai", "gpt-5", "image/*", "yes"],
    ["openai", "gpt-5", "image/bmp", "no"],
    ["openai", "gpt-5", "audio/wav", "no"],
    ["openai", "gpt-5", "video/mp4", "no"],
    ["anthropic", "claude-sonnet-4-5", "image/jpg", "yes"],
    ["google", "gemini-3-pro", "image/heic", "yes"],
    ["google", "gemini-3-pro", "image/gif", "unknown"],
    ["google", "gemini-3-pro", "audio/x-wav", "yes"],
    ["google", "gemini-1.0-pro", "image/gif", "no"],
    ["openai-compatible", "any", "audio/mp3", "unknown"],
    ["openai-compatible", "any", "audio/ogg", "no"],
    ["openai-compatible", "any", "image/bmp", "unknown"],
  ])("%s: %s takes %s: %s", (type, model, mediaType, expected) => {
    expect(takes(type, model, mediaType)).toBe(expected);
  });

  test.each([
    ["text/plain; charset=utf-8", true],
    ["application/ld+json", true],
    ["image/svg+xml", true],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", false],
    ["image/png", false],
  ])("%s is text: %s", (mediaType, expected) => {
    expect(isTextType(mediaType)).toBe(expected);
  });

  test("has a kind and the name that services know", () => {
    expect(toMediaType("Audio/X-WAV; rate=8000")).toBe("audio/wav");
    expect(findMediaKind("image/svg+xml")).toBeUndefined();
    expect(findMediaKind("image/*")).toBe("image");
    expect(findMediaKind("application/zip")).toBeUndefined();
  });
});
