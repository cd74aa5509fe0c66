import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { trimSlashes } from "../../../platform/runtime/trim-end.ts";
import type { IntegrationContext, ToolConfig } from "../integration.ts";
import { readRemoteServer } from "../mcp/remote-server.ts";
import { ToolError } from "../tool.ts";
import { callForJson } from "./call-for-json.ts";
import { RemoteCard, spokenVersion } from "./wire.ts";

/** A remote agent: its card, and the address and headers of every call to it. */
export type RemoteAgent = {
  readonly card: RemoteCard;
  readonly url: URL;
  readonly binding: "JSONRPC" | "HTTP+JSON";
  /** Named in every call, where the card has one. */
  readonly tenant: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest wait of a call for the end of a task. */
  readonly waitMs: number;
};

const defaultWaitSeconds = 20;
const maxWaitSeconds = 840;
const listingMs = 20_000;
const cardMaxBytes = 512 * 1024;
const cardPath = ".well-known/agent-card.json";

/** Finds the agent of a config by its card. Throws ToolError and UpstreamError. */
export const findRemoteAgent = async (
  config: ToolConfig,
  { outgoing, signal }: Pick<IntegrationContext, "outgoing" | "signal">,
): Promise<RemoteAgent> => {
  const { url, headers: credentials } = readRemoteServer(config, "an A2A agent");
  const headers = { ...credentials, "A2A-Version": spokenVersion };
  const waitMs = readWait(config.parameters.waitSeconds);
  const call = {
    url: toCardUrl(url),
    headers,
    signal,
    timeoutMs: listingMs,
    maxBytes: cardMaxBytes,
  };
  const parsed = RemoteCard.safeParse(await callForJson(call, outgoing));
  const { host } = url;
  if (!parsed.success) {
    throw new UpstreamError(`${host} has no agent card of A2A at this address.`, {
      upstream: host,
    });
  }
  const card = parsed.data;
  const chosen = card.supportedInterfaces.find(
    ({ protocolBinding, protocolVersion }) =>
      toBinding(protocolBinding) !== undefined && /^1\.\d+(\.|$)/.test(protocolVersion),
  );
  const binding = chosen && toBinding(chosen.protocolBinding);
  const address = chosen && parseAddress(chosen.url);
  if (!chosen || !binding || !address) throw new ToolError(describeInterfaces(host, card));
  if (address.origin !== url.origin && Object.keys(credentials).length > 0) {
    const detail = `The card of ${host} names an agent at another address, ${address.host}, which does not get the credentials of the config. Configure that address.`;
    throw new ToolError(detail);
  }
  return { card, url: address, binding, tenant: chosen.tenant || undefined, headers, waitMs };
};

/** Returns the address of the card of an agent at an address. */
const toCardUrl = (url: URL): string => {
  if (url.pathname.endsWith(".json")) return url.href;
  const card = new URL(url);
  card.pathname = `${trimSlashes(url.pathname)}/${cardPath}`;
  return card.href;
};

const toBinding = (name: string): RemoteAgent["binding"] | undefined => {
  const binding = name.toUpperCase();
  return binding === "JSONRPC" || binding === "HTTP+JSON" ? binding : undefined;
};

const describeInterfaces = (host: string, { supportedInterfaces }: RemoteCard): string => {
  const found = supportedInterfaces.map(
    ({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`,
  );
  const offered = found.length > 0 ? found.join(", ").slice(0, 200) : "none";
  return `The agent of ${host} has no interface of A2A ${spokenVersion} by JSONRPC or HTTP+JSON. It has: ${offered}.`;
};

const readWait = (value: unknown): number => {
  if (value === undefined || value === null || value === "") return defaultWaitSeconds * 1_000;
  const seconds = Number(value);
  if (seconds >= 1 && seconds <= maxWaitSeconds) return seconds * 1_000;
  throw new ToolError(`"waitSeconds" must be a number from 1 to ${maxWaitSeconds}.`);
};
