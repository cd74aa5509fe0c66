import { createHash } from "node:crypto";
import type { ProcessorBudget } from "../../../platform/sandbox/processor-budget.ts";
import type { IntegrationContext } from "../integration.ts";
import { sendCall } from "../send-call.ts";
import { withinLimits } from "./limits.ts";
import { type Api, readOperations } from "./operations.ts";
import { readDocument } from "./read-document.ts";
import type { Settings } from "./settings.ts";

/** GitHub's document has 13 million characters. */
const maxDocumentBytes = 24 * 1024 * 1024;
const documentMs = 30_000;
const maxKept = 8;
const maxKeptCharacters = 32 * 1024 * 1024;

const kept = new Map<string, { readonly api: Api; readonly characters: number }>();

/** Loads the API of a config's document; a document is parsed once, however many configs contain it. */
export const loadApi = async (settings: Settings, context: IntegrationContext): Promise<Api> => {
  const text = await loadText(settings, context);
  const hash = createHash("sha256").update(text).digest("base64");
  const known = kept.get(hash);
  kept.delete(hash);
  const entry = known ?? {
    api: await read(text, context.processor),
    characters: text.length,
  };
  kept.set(hash, entry);
  forgetOldest();
  return entry.api;
};

const read = async (text: string, processor: ProcessorBudget): Promise<Api> => {
  const root = await readDocument(text, processor);
  return withinLimits(() => readOperations(root, processor));
};

const loadText = async (
  { document, documentUrl }: Settings,
  { outgoing, signal }: IntegrationContext,
): Promise<string> => {
  if (typeof document === "string") return document;
  if (document !== undefined) return JSON.stringify(document);
  const headers = { accept: "application/json, application/yaml, text/*;q=0.9, */*;q=0.5" };
  const limits = { timeoutMs: documentMs, maxBytes: maxDocumentBytes };
  const call = { url: documentUrl ?? "", headers, signal, ...limits };
  return (await sendCall(call, outgoing)).body.toString("utf8");
};

const forgetOldest = (): void => {
  let characters = 0;
  for (const { characters: own } of kept.values()) characters += own;
  for (const [hash, { characters: own }] of kept) {
    if (kept.size === 1 || (kept.size <= maxKept && characters <= maxKeptCharacters)) return;
    kept.delete(hash);
    characters -= own;
  }
};
