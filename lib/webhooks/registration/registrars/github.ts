import { request } from "@octokit/request";
import * as z from "zod";
import { OutgoingError } from "../../../platform/outgoing/outgoing-error.ts";
import {
  notOfItsApi,
  ProviderApiError,
  refusedBy,
} from "../../../platform/outgoing/provider-api-error.ts";
import type { Registrar, Target, Wanted } from "../registrar.ts";
import { namesIn, requireCredential, requireSecret, resolveBaseUrl } from "../settings.ts";

const provider = "GitHub";
const perPage = 100;
const maxPages = 10;

const Hook = z.object({ id: z.int() });
const Hooks = z.array(Hook.extend({ config: z.object({ url: z.string().optional() }) }));
const Failed = z.object({ status: z.int(), response: z.unknown().optional() });

/** Returns the path parameters of a repository. */
const parseRepository = ({ externalContext }: Target): { owner: string; repo: string } => {
  const [owner = "", repo = "", ...rest] = (externalContext ?? "").split("/");
  const isName = (name: string) => /^[\w.-]{1,100}$/.test(name) && !/^\.+$/.test(name);
  if (rest.length === 0 && isName(owner) && isName(repo)) return { owner, repo };
  throw new ProviderApiError("externalContext must be the repository, as owner/repo.");
};

const createApi = (target: Target): typeof request =>
  request.defaults({
    baseUrl: resolveBaseUrl(target, "https://api.github.com"),
    headers: {
      authorization: `token ${requireCredential(target, ["token", "accessToken"]).value}`,
      "x-github-api-version": "2022-11-28",
    },
    request: { fetch: target.fetch },
  });

/** Awaits a call; replaces the client's errors, because they contain the request with its credentials. */
const callGithub = async <Value>(work: Promise<Value>): Promise<Value> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.cause instanceof OutgoingError) throw error.cause;
    const failed = Failed.safeParse(error);
    if (failed.success && failed.data.response) throw refusedBy(provider, failed.data.status);
    throw notOfItsApi(provider);
  }
};

const find = async (target: Target, url: string): Promise<string | undefined> => {
  const api = createApi(target);
  const repository = parseRepository(target);
  for (let page = 1; page <= maxPages; page += 1) {
    const query = { ...repository, per_page: perPage, page };
    const hooks = await callGithub(
      api("GET /repos/{owner}/{repo}/hooks", query).then(({ data }) => Hooks.parse(data)),
    );
    const found = hooks.find(({ config }) => config.url === url);
    if (found) return String(found.id);
    if (hooks.length < perPage) break;
  }
  return undefined;
};

const buildSettings = (wanted: Wanted) => {
  const names = namesIn(wanted.filter);
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

const change = async (target: Target, remoteId: string, wanted: Wanted): Promise<void> => {
  const hook = { ...parseRepository(target), hook_id: Number(remoteId), ...buildSettings(wanted) };
  await callGithub(createApi(target)("PATCH /repos/{owner}/{repo}/hooks/{hook_id}", hook));
};

const create = async (target: Target, wanted: Wanted): Promise<string> => {
  const hook = { ...parseRepository(target), name: "web", ...buildSettings(wanted) };
  const { id } = await callGithub(
    createApi(target)("POST /repos/{owner}/{repo}/hooks", hook).then(({ data }) =>
      Hook.parse(data),
    ),
  );
  return String(id);
};

/**
 * Webhooks of a repository: `externalContext` is owner/repo, `filter` a comma-separated list of events.
 * https://docs.github.com/en/rest/repos/webhooks
 */
export const github: Registrar = {
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
    const hook = { ...parseRepository(target), hook_id: Number(remoteId) };
    try {
      await callGithub(createApi(target)("DELETE /repos/{owner}/{repo}/hooks/{hook_id}", hook));
    } catch (error) {
      if (!(error instanceof ProviderApiError && error.status === 404)) throw error;
    }
  },
};
