import { checkCopied } from "../webhooks/secrets.ts";
import type { ChatParameter, ChatParameters } from "./chat-provider.ts";

const checkUrl = (value: string): string | undefined =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? undefined : "it is not a URL";

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

/** An address. */
export const address = (name: string, isRequired: boolean): ChatParameter =>
  setting(name, { isRequired, check: checkUrl });

/** Where the provider's API is, in place of its public address: an installation of one's own. */
export const apiUrl = address("apiUrl", false);

/** The base of a provider's API, without a slash at its end. */
export const baseOf = (parameters: ChatParameters, fallback: string): string =>
  (parameters.apiUrl ?? fallback).replace(/\/+$/, "");

/** A parameter that the provider requires. */
export const need = (parameters: ChatParameters, name: string): string => parameters[name] ?? "";
