import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "./seal.ts";

const mostOpened = 200;

/** Opened texts by what they belong to and their seal, of which no two are alike. */
const opened = new Map<string, string>();

/** A sealed text. What this instance opened once it need not have opened again. */
export const openOnce = async (
  sealer: Sealer,
  sealed: SealedValue,
  context: SealContext,
): Promise<string> => {
  const { dataKey, nonce, tag, ciphertext } = sealed;
  const seal = [dataKey, nonce, tag, ciphertext].map((part) =>
    Buffer.from(part).toString("base64"),
  );
  const name = JSON.stringify([context, ...seal]);
  const known = opened.get(name);
  if (known !== undefined) return known;
  const text = z.string().parse(await sealer.open(sealed, context));
  if (opened.size >= mostOpened) opened.clear();
  opened.set(name, text);
  return text;
};
