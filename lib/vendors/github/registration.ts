import * as z from "zod";
import { type ApiCall, callApi, readApi } from "../../platform/outgoing/call-api.ts";
import { ProviderApiError } from "../../platform/outgoing/provider-api-error.ts";
import type { Registrar, RegistrationTarget, Wanted } from "../registrar.ts";
import {
  requireCredential,
  requireSecret,
  resolveBaseUrl,
  splitFilter,
} from "../shared/registration/settings.ts";

const provider = "GitHub";
const perPage = 100;
const maxPages = 10;

const Hook = z.object({ id: z.int() });
const Hooks = z.array(Hook.extend({ config: z.object({ url: z.string().optional() }) }));

/** Returns the path parameters of a repository. */
const parseRepository = ({
  externalContext,
}: RegistrationTarget): { owner: string; repo: string } => {
  const [owner = "", repo = "", ...rest] = (externalContext ?? "").split("/");
  const isName = (name: string) => /^[\w.-]{1,100}$/.test(name) && !/^\.+$/.test(name);
  if (rest.length === 0 && isName(owner) && isName(repo)) return { owner, repo };
  throw new ProviderApiError("externalContext must be the repository, as owner/repo.");
};

/** Returns a call to the hooks of the repository, or to one of them. */
const buildCall = (target: RegistrationTarget, hookId?: string): ApiCall => {
  const { owner, repo } = parseRepository(target);
  const base = resolveBaseUrl(target, "https://api.github.com");
  const hooks = `${base}/repos/${owner}/${repo}/hooks`;
  return {
    provider,
    url: hookId === undefined ? hooks : `${hooks}/${encodeURIComponent(hookId)}`,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `token ${requireCredential(target, ["token", "accessToken"]).value}`,
      "x-github-api-version": "2022-11-28",
    },
  };
};

const find = async (target: RegistrationTarget, url: string): Promise<string | undefined> => {
  const call = buildCall(target);
  for (let page = 1; page <= maxPages; page += 1) {
    const paged = `${call.url}?per_page=${perPage}&page=${page}`;
    const hooks = await readApi(target.fetch, { ...call, url: paged }, Hooks);
    const found = hooks.find(({ config }) => config.url === url);
    if (found) return String(found.id);
    if (hooks.length < perPage) break;
  }
  return undefined;
};

const buildSettings = (wanted: Wanted) => {
  const names = splitFilter(wanted.filter);
  return {
    active: true,
    events: names.length > 0 ? names : ["*"],
    config: {
      url: wanted.url,
      content_type: "json",
      secret: requireSecret(wanted),
      insecure_ssl: "0",
    },
  };
};

const change = async (
  target: RegistrationTarget,
  remoteId: string,
  wanted: Wanted,
): Promise<void> => {
  const call = buildCall(target, remoteId);
  await callApi(target.fetch, { ...call, method: "PATCH", body: buildSettings(wanted) });
};

const create = async (target: RegistrationTarget, wanted: Wanted): Promise<string> => {
  const body = { name: "web", ...buildSettings(wanted) };
  const call: ApiCall = { ...buildCall(target), method: "POST", body };
  const { id } = await readApi(target.fetch, call, Hook);
  return String(id);
};

/**
 * Webhooks of a repository: `externalContext` is owner/repo, `filter` a comma-separated list of events.
 * https://docs.github.com/en/rest/repos/webhooks
 */
export const registrar: Registrar = {
  find,
  register: async (target, wanted) => {
    const existing = await find(target, wanted.url);
    if (existing === undefined) {
      return { remoteId: await create(target, wanted), expiresAt: null };
    }
    await change(target, existing, wanted);
    return { remoteId: existing, expiresAt: null };
  },
  unregister: async (target, remoteId) => {
    try {
      await callApi(target.fetch, { ...buildCall(target, remoteId), method: "DELETE" });
    } catch (error) {
      if (!(error instanceof ProviderApiError && error.status === 404)) throw error;
    }
  },
};
