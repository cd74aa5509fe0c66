import * as z from "zod";
import { readResponse } from "../../platform/outgoing/call-api.ts";
import { ProviderApiError, refusedBy } from "../../platform/outgoing/provider-api-error.ts";
import type { Registrar, RegistrationTarget } from "../registrar.ts";
import {
  requireCredential,
  requireSecret,
  resolveBaseUrl,
  splitFilter,
} from "../shared/registration/settings.ts";

const provider = "Telegram";

const OkResponse = z.object({ ok: z.literal(true) });
const Info = z.object({ ok: z.literal(true), result: z.object({ url: z.string() }) });

/** Calls a method of the bot. The address contains the token, so errors must not include it. */
const call = async <Schema extends z.ZodType>(
  target: RegistrationTarget,
  method: string,
  body: unknown,
  schema: Schema,
): Promise<z.output<Schema>> => {
  const { value: token } = requireCredential(target, ["botToken", "token"]);
  if (!/^[\w:-]{1,200}$/.test(token)) {
    throw new ProviderApiError("The integration config's botToken is not a Telegram bot token.");
  }
  const base = resolveBaseUrl(target, "https://api.telegram.org");
  const response = await target.fetch(`${base}/bot${token}/${method}`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw refusedBy(provider, response.status);
  return readResponse(provider, response, schema);
};

const listenerUrl = async (target: RegistrationTarget): Promise<string> =>
  (await call(target, "getWebhookInfo", {}, Info)).result.url;

/**
 * The only webhook of a bot, identified by its URL: `filter` is a comma-separated list of update types. An existing
 * one with another URL is kept. https://core.telegram.org/bots/api#setwebhook
 */
export const registrar: Registrar = {
  find: async (target, url) => ((await listenerUrl(target)) === url ? url : undefined),
  register: async (target, wanted) => {
    const present = await listenerUrl(target);
    if (present !== "" && present !== wanted.url) {
      throw new ProviderApiError(
        "The bot already has a webhook with another URL, and can have only one. Remove it first.",
      );
    }
    await call(
      target,
      "setWebhook",
      {
        url: wanted.url,
        secret_token: requireSecret(wanted),
        allowed_updates: splitFilter(wanted.filter),
      },
      OkResponse,
    );
    return { remoteId: wanted.url, expiresAt: null };
  },
  unregister: async (target, remoteId) => {
    if ((await listenerUrl(target)) !== remoteId) return;
    await call(target, "deleteWebhook", { drop_pending_updates: false }, OkResponse);
  },
};
