import type { GenerateRequest, GenerateResult, ModelProvider } from "./model.ts";

const bytesPerToken = 4;

function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

async function generate(request: GenerateRequest): Promise<GenerateResult> {
  const { prompt, system = "", signal, onDelta } = request;
  signal.throwIfAborted();
  if (onDelta) for (const [word] of prompt.matchAll(/\s*\S+|\s+/g)) onDelta(word);
  return {
    text: prompt,
    usage: {
      inputTokens: countTokens(system + prompt),
      outputTokens: countTokens(prompt),
      cachedTokens: 0,
      thinkingTokens: 0,
    },
  };
}

/**
 * The built-in provider `echo`: its answer is exactly the prompt, streamed word by word (each
 * word with the white space before it). Every started 4 UTF-8 bytes count as one token:
 * system and prompt together are the input, the answer is the output; nothing is cached or
 * thought. It costs nothing. The model is `echo-1` when none is named.
 */
export const echo: ModelProvider = { defaultModel: "echo-1", generate };
