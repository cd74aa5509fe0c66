import "./node-globals.ts";
import { evaluateDeep } from "../../../../../lib/values/expression/expression.ts";

/** An expression to evaluate; its number comes back with the result. */
export type PreviewRequest = {
  number: number;
  text: string;
  values: Readonly<Record<string, unknown>>;
};

/** The value as a text, or why there is none. */
export type PreviewResponse = { number: number } & ({ text: string } | { error: string });

const evaluate = async ({ text, values }: PreviewRequest): Promise<string> => {
  const value = await evaluateDeep(text, values);
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

// Runs what the API runs, in a thread of its own that ends with an expression that takes too long.
self.addEventListener("message", ({ data }: MessageEvent<PreviewRequest>) => {
  const { number } = data;
  const answer = (response: PreviewResponse): void => self.postMessage(response);
  evaluate(data).then(
    (text) => answer({ number, text }),
    (error: unknown) =>
      answer({ number, error: error instanceof Error ? error.message : String(error) }),
  );
});
