import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import { checkCopied } from "../../webhooks/providers/secrets.ts";
import type { ChatParameter, ChatParameters } from "./provider.ts";

/** Credentials. */
export const secret = (
  name: string,
  { isRequired = true, check = checkCopied }: Partial<ChatParameter> = {},
): ChatParameter => ({ name, isRequired, isSecret: true, check });

/** A setting that anybody who sees the connector may see. */
export const setting = (
  name: string,
  { isRequired = true, check = checkCopied }: Partial<ChatParameter> = {},
): ChatParameter => ({ name, isRequired, isSecret: false, check });

/** An address that is called. */
export const address = (
  name: string,
  { isRequired, mayHaveQuery }: { isRequired: boolean; mayHaveQuery: boolean },
): ChatParameter => ({ name, isRequired, isSecret: false, address: { mayHaveQuery } });

/** Where the provider's API is, in place of its public address: an installation of one's own. */
export const apiUrl = address("apiUrl", { isRequired: false, mayHaveQuery: false });

/** The base of a provider's API, without a slash at its end. */
export const baseOf = (parameters: ChatParameters, fallback: string): string =>
  trimSlashes(parameters.apiUrl ?? fallback);

/** A parameter that the provider requires. */
export const need = (parameters: ChatParameters, name: string): string => parameters[name] ?? "";
