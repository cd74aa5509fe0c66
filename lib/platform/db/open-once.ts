import * as z from "zod";
import type { SealContext, SealedValue, Sealer } from "./seal.ts";

const maxOpened = 200;

/** Decrypted texts by context and seal. */
const opened = new Map<string, string>();

/** Decrypts a sealed text, cached per instance. */
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
  if (opened.size >= maxOpened) opened.clear();
  opened.set(name, text);
  return text;
};
