import * as z from "zod";
import { callApi, readApi } from "../../platform/outgoing/call-api.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { ProviderApiError } from "../../platform/outgoing/provider-api-error.ts";
import type { Registrar, RegistrationTarget, Wanted } from "../registrar.ts";
import {
  findCredential,
  requireCredential,
  resolveBaseUrl,
} from "../shared/registration/settings.ts";

const provider = "Jira";
const perPage = 100;
const maxPages = 20;
const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;
const events = [
  "jira:issue_created",
  "jira:issue_updated",
  "jira:issue_deleted",
  "comment_created",
  "comment_updated",
  "comment_deleted",
];
/** Matches all issues: Jira rejects an empty query, and supports only =, !=, in and not in. */
const everything = "project != null";

/** Unix milliseconds, or a date such as 2019-06-01T12:42:30.000+0000. */
const Time = z.union([
  z.number(),
  z
    .string()
    .transform((text) => Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")))
    .pipe(z.number()),
]);
const Webhook = z.object({
  id: z.int(),
  url: z.string().optional(),
  jqlFilter: z.string().optional(),
  expirationDate: Time.optional(),
});
const Webhooks = z.object({ values: z.array(Webhook), isLast: z.boolean().default(true) });
const Registered = z.object({
  webhookRegistrationResult: z.array(z.object({ createdWebhookId: z.int().optional() })).min(1),
});
const Renewed = z.object({ expirationDate: Time });

/** Credentials are sent only to the config's address or Atlassian's, never to one from the webhook. */
const webhooksUrl = (target: RegistrationTarget): string => {
  const { cloudId } = target.config.parameters;
  const cloud =
    typeof cloudId === "string" && /^[\w-]+$/.test(cloudId)
      ? `https://api.atlassian.com/ex/jira/${cloudId}`
      : undefined;
  return `${resolveBaseUrl(target, cloud) ?? parseSite(target)}/rest/api/3/webhook`;
};

const parseSite = ({ externalContext }: RegistrationTarget): string => {
  const url = parseAddress(externalContext ?? "");
  if (url?.protocol === "https:" && url.hostname.endsWith(".atlassian.net")) return url.origin;
  throw new ProviderApiError(
    "externalContext must be a site such as https://acme.atlassian.net. Set another server as the integration config's baseUrl.",
  );
};

const buildHeaders = (target: RegistrationTarget): Record<string, string> => {
  const bearer = findCredential(target, ["accessToken"]);
  if (bearer) return { authorization: `Bearer ${bearer.value}` };
  const email = requireCredential(target, ["accessToken", "email"]).value;
  const token = requireCredential(target, ["apiToken", "token"]).value;
  return { authorization: `Basic ${Buffer.from(`${email}:${token}`).toString("base64")}` };
};

const findWhole = async (
  target: RegistrationTarget,
  isIt: (webhook: z.output<typeof Webhook>) => boolean,
): Promise<z.output<typeof Webhook> | undefined> => {
  for (let page = 0; page < maxPages; page += 1) {
    const url = `${webhooksUrl(target)}?startAt=${page * perPage}&maxResults=${perPage}`;
    const call = { provider, url, headers: buildHeaders(target) };
    const { values, isLast } = await readApi(target.fetch, call, Webhooks);
    const found = values.find(isIt);
    if (found || isLast) return found;
  }
  return undefined;
};

const create = async (target: RegistrationTarget, { url, filter, now }: Wanted) => {
  const { webhookRegistrationResult } = await readApi(
    target.fetch,
    {
      provider,
      method: "POST",
      url: webhooksUrl(target),
      headers: buildHeaders(target),
      body: { url, webhooks: [{ events, jqlFilter: filter || everything }] },
    },
    Registered,
  );
  const id = webhookRegistrationResult[0]?.createdWebhookId;
  if (id === undefined) {
    throw new ProviderApiError(
      "Jira refused the webhook: the filter is invalid, or the app has a webhook with another URL.",
      200,
    );
  }
  return { remoteId: String(id), expiresAt: now + lifetimeMs };
};

const remove = async (target: RegistrationTarget, remoteId: string): Promise<void> => {
  await callApi(target.fetch, {
    provider,
    method: "DELETE",
    url: webhooksUrl(target),
    headers: buildHeaders(target),
    body: { webhookIds: [Number(remoteId)] },
  });
};

/**
 * Dynamic webhooks of an OAuth 2.0 app: `externalContext` is the site's URL, `filter` a JQL query. They expire
 * after 30 days, can't be updated, and send the app's token instead of a signature.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks
 */
export const registrar: Registrar = {
  find: async (target, url) => {
    const found = await findWhole(target, (webhook) => webhook.url === url);
    return found && String(found.id);
  },
  register: async (target, wanted) => {
    const existing = await findWhole(target, ({ url }) => url === wanted.url);
    if (!existing) return create(target, wanted);
    const { jqlFilter, expirationDate } = existing;
    if (jqlFilter === (wanted.filter || everything) && expirationDate !== undefined) {
      return { remoteId: String(existing.id), expiresAt: expirationDate };
    }
    await remove(target, String(existing.id));
    return create(target, wanted);
  },
  unregister: async (target, remoteId) => {
    try {
      await remove(target, remoteId);
    } catch (error) {
      if (!(error instanceof ProviderApiError && error.status === 404)) throw error;
    }
  },
  renew: async (target, remoteId) => {
    const call = { provider, method: "PUT", headers: buildHeaders(target) } as const;
    const body = { webhookIds: [Number(remoteId)] };
    const url = `${webhooksUrl(target)}/refresh`;
    return (await readApi(target.fetch, { ...call, url, body }, Renewed)).expirationDate;
  },
};
