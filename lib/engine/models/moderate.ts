import * as z from "zod";
import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import { baseAddresses } from "./base-addresses.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** A category has no content of the text in its name. */
const Category = z.string().regex(/^[A-Za-z][A-Za-z0-9/_-]{0,63}$/);
const Moderations = z.object({
  results: z
    .array(
      z.object({ flagged: z.boolean(), categories: z.record(Category, z.boolean().nullable()) }),
    )
    .min(1),
});

/** The kind of what a service flags without a category. */
const otherKind = "flagged";

/** Asks OpenAI's moderations endpoint, or that of a compatible server. Rejects on a response in another form. */
export const moderate = async (
  { type, baseUrl, apiKey }: ProviderSettings,
  { text, signal }: { text: string; signal: AbortSignal },
  fetch: GuardedFetch,
): Promise<readonly string[]> => {
  const address = baseUrl ?? (type === "openai" ? baseAddresses.openai : "");
  const response = await fetch(`${trimSlashes(address)}/moderations`, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model: "omni-moderation-latest", input: text }),
    signal,
  });
  const { results } = Moderations.parse(await response.json());
  const kinds = new Set<string>();
  for (const { flagged, categories } of results) {
    const names = Object.keys(categories).filter((name) => categories[name] === true);
    for (const name of names) kinds.add(name);
    if (flagged && names.length === 0) kinds.add(otherKind);
  }
  return [...kinds];
};
