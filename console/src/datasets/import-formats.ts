import type { ImportFormat } from "../../../lib/evaluation/dataset/import/imported.ts";

/** Names of the formats of files. */
export const formatNames: Readonly<Record<ImportFormat, string>> = {
  wharf: "Examples as JSON",
  csv: "CSV",
  "openai-evals": "OpenAI Evals",
  langfuse: "Langfuse",
};

/** Formats of files, to choose from. */
export const formats: readonly ImportFormat[] = ["wharf", "csv", "openai-evals", "langfuse"];
