import { isIP } from "node:net";
import { type InvalidPlace, validationFailed } from "../http/problems.ts";
import type { ProviderSettings } from "../models/provider-settings.ts";
import { isBlockedAddress } from "../outgoing/blocked-address.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { parseUrl } from "../outgoing/parse-url.ts";
import type { OutgoingOptions } from "../outgoing/resolve-host.ts";

type Checked = Pick<ProviderSettings, "type" | "baseUrl" | "region"> & { hasApiKey: boolean };

/** Throws 400 with every place at which a provider cannot work as it is set up. */
export const checkProvider = (provider: Checked, outgoing: OutgoingOptions): void => {
  const errors = [
    ...checkBaseUrl(provider, outgoing),
    ...checkRegion(provider),
    ...checkApiKey(provider),
  ];
  if (errors.length > 0) throw validationFailed(errors);
};

const checkBaseUrl = (
  { type, baseUrl, hasApiKey }: Checked,
  outgoing: OutgoingOptions,
): InvalidPlace[] => {
  const pointer = "/baseUrl";
  if (baseUrl === null) {
    if (type !== "openai-compatible") return [];
    return [
      { pointer, detail: "is required: an openai-compatible server has no address of its own" },
    ];
  }
  if (type === "bedrock" && !hasApiKey) {
    const detail = "needs an apiKey beside it: the role of this product signs calls to AWS alone";
    return [{ pointer, detail }];
  }
  const detail = wrongUrl(baseUrl, outgoing);
  return detail === undefined ? [] : [{ pointer, detail }];
};

const wrongUrl = (text: string, outgoing: OutgoingOptions): string | undefined => {
  try {
    const { hostname, search, hash } = parseUrl(text, undefined, outgoing);
    if (search !== "" || hash !== "") return "must not hold a query or a fragment";
    const host = hostname.replace(/^\[|\]$/g, "");
    const isPrivate = isIP(host) !== 0 && isBlockedAddress(host);
    return isPrivate && !outgoing.allowPrivateAddresses ? "must be a public address" : undefined;
  } catch (error) {
    if (error instanceof OutgoingError) return error.message;
    throw error;
  }
};

const checkRegion = ({ type, region }: Checked): InvalidPlace[] =>
  region === null || type === "bedrock"
    ? []
    : [{ pointer: "/region", detail: "only bedrock has a region" }];

const checkApiKey = ({ type, hasApiKey }: Checked): InvalidPlace[] =>
  hasApiKey || type === "openai-compatible" || type === "bedrock"
    ? []
    : [{ pointer: "/apiKey", detail: `is required for the type ${type}` }];
