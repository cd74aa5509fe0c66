import * as z from "zod";
import { callApi, readApi, readResponse } from "../../platform/outgoing/call-api.ts";
import { ProviderApiError } from "../../platform/outgoing/provider-api-error.ts";
import type { Registrar, RegistrationTarget, Wanted } from "../registrar.ts";
import {
  requireCredential,
  requireSecret,
  resolveBaseUrl,
  splitFilter,
} from "../shared/registration/settings.ts";

const provider = "GitLab";
const perPage = 100;
const maxPages = 10;

/** Events of a project, which are flags of a hook: https://docs.gitlab.com/api/project_webhooks/ */
const events = [
  "push",
  "tag_push",
  "issues",
  "confidential_issues",
  "merge_requests",
  "note",
  "confidential_note",
  "job",
  "pipeline",
  "wiki_page",
  "deployment",
  "releases",
] as const;

const Hook = z.object({ id: z.int() });
const Hooks = z.array(Hook.extend({ url: z.string() }));

const hooksUrl = (target: RegistrationTarget): string => {
  const base = resolveBaseUrl(target, "https://gitlab.com").replace(/\/api\/v4$/, "");
  const context = target.externalContext ?? "";
  const path = context.startsWith(`${base}/`) ? context.slice(base.length + 1) : context;
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(path) || path.split("/").some(isDots)) {
    throw new ProviderApiError(
      "externalContext must be the project's path or id. Set another server as the integration config's baseUrl.",
    );
  }
  return `${base}/api/v4/projects/${encodeURIComponent(path)}/hooks`;
};

/** Returns whether a path segment leads to another folder. */
const isDots = (segment: string): boolean => /^\.{1,2}$/.test(segment);

const buildHeaders = (target: RegistrationTarget): Record<string, string> => {
  const { name, value } = requireCredential(target, ["token", "accessToken"]);
  return name === "token" ? { "private-token": value } : { authorization: `Bearer ${value}` };
};

const find = async (target: RegistrationTarget, url: string): Promise<string | undefined> => {
  const headers = buildHeaders(target);
  for (let page = 1; page <= maxPages; page += 1) {
    const paged = `${hooksUrl(target)}?per_page=${perPage}&page=${page}`;
    const hooks = await readApi(target.fetch, { provider, url: paged, headers }, Hooks);
    const found = hooks.find((hook) => hook.url === url);
    if (found) return String(found.id);
    if (hooks.length < perPage) break;
  }
  return undefined;
};

const buildSettings = (wanted: Wanted) => {
  const names = splitFilter(wanted.filter).map((name) => name.replace(/_events$/, ""));
  const unknown = names.filter((name) => !events.some((event) => event === name));
  if (unknown.length > 0) {
    throw new ProviderApiError(`filter must list some of these events: ${events.join(", ")}.`);
  }
  const isWanted = (event: string) => names.length === 0 || names.includes(event);
  return {
    url: wanted.url,
    token: requireSecret(wanted),
    enable_ssl_verification: true,
    ...Object.fromEntries(events.map((event) => [`${event}_events`, isWanted(event)])),
  };
};

/**
 * Webhooks of a project: `externalContext` is its path, id or URL, `filter` a comma-separated list of events.
 * https://docs.gitlab.com/api/project_webhooks/
 */
export const registrar: Registrar = {
  find,
  register: async (target, wanted) => {
    const existing = await find(target, wanted.url);
    const response = await callApi(target.fetch, {
      provider,
      method: existing === undefined ? "POST" : "PUT",
      url: existing === undefined ? hooksUrl(target) : `${hooksUrl(target)}/${existing}`,
      headers: buildHeaders(target),
      body: buildSettings(wanted),
    });
    const { id } = await readResponse(provider, response, Hook);
    return { remoteId: String(id), expiresAt: null };
  },
  unregister: async (target, remoteId) => {
    const url = `${hooksUrl(target)}/${encodeURIComponent(remoteId)}`;
    try {
      await callApi(target.fetch, {
        provider,
        method: "DELETE",
        url,
        headers: buildHeaders(target),
      });
    } catch (error) {
      if (!(error instanceof ProviderApiError && error.status === 404)) throw error;
    }
  },
};
