import { trimSlashes } from "../../../platform/runtime/trim-end.ts";
import type { ChatParameter, ChatParameters } from "../../chat-provider.ts";
import { checkCopied } from "../webhook/secrets.ts";

/** Defines a credential. */
export const secret = (
  name: string,
  { isRequired = true, check = checkCopied }: Partial<ChatParameter> = {},
): ChatParameter => ({ name, isRequired, isSecret: true, check });

/** Defines a setting without a secret. */
export const chatSetting = (
  name: string,
  { isRequired = true, check = checkCopied }: Partial<ChatParameter> = {},
): ChatParameter => ({ name, isRequired, isSecret: false, check });

/** Defines a URL that is called. */
export const address = (
  name: string,
  { isRequired, mayHaveQuery }: { isRequired: boolean; mayHaveQuery: boolean },
): ChatParameter => ({ name, isRequired, isSecret: false, address: { mayHaveQuery } });

/** Base URL of a self-hosted provider API. */
export const apiUrlSetting = address("apiUrl", { isRequired: false, mayHaveQuery: false });

const toggle = (name: string): ChatParameter =>
  chatSetting(name, {
    isRequired: false,
    check: (value) => (/^(?:true|false)$/.test(value) ? undefined : "must be true or false"),
  });

/** Setting of a connector that shows thumbs under its replies. */
export const thumbsSetting = toggle("thumbs");

/** Setting of a connector that lists sources below its replies, which is on by default. */
export const sourcesSetting = toggle("sources");

/** Returns the base URL of a provider's API without a trailing slash. */
export const resolveApiUrl = (parameters: ChatParameters, fallback: string): string =>
  trimSlashes(parameters.apiUrl ?? fallback);

/** Returns a required parameter. */
export const need = (parameters: ChatParameters, name: string): string => parameters[name] ?? "";
