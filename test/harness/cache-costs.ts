import { calculatePrice } from "../../lib/engine/models/price.ts";
import type { ProviderType } from "../../lib/engine/models/provider-settings.ts";
import { noTokens } from "../../lib/engine/models/sums.ts";
import { converse, meterCache } from "./conversations.ts";
import type { ModelServer } from "./model-server.ts";

const calls = 10;
const outputTokensPerCall = 150;
const bytesOfSystem = 16_000;
const bytesOfResult = 4_000;

const models: readonly (readonly [ProviderType, model: string])[] = [
  ["anthropic", "claude-sonnet-4-5"],
  ["anthropic", "claude-opus-4-5"],
  ["bedrock", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"],
];

const words = (bytes: number, seed: number): string =>
  Array.from({ length: bytes / 8 }, (_, at) =>
    ((at * 7_919 + seed * 104_729) % 9_999_999).toString(36).padEnd(7, "x"),
  ).join(" ");

const priceConversation = async (
  server: ModelServer,
  [type, model]: (typeof models)[number],
  cache: "auto" | "off",
) => {
  const turns = Array.from({ length: calls - 1 }, (_, at) => ({
    text: `query ${at}`,
    result: words(bytesOfResult, at + 1),
  }));
  // Services cache alike; the requests of Anthropic's API are metered.
  const settings = { type: "anthropic" as const, model, system: words(bytesOfSystem, 0), turns };
  const { bodies } = await converse(server, { ...settings, cache });
  let cost = 0;
  let read = 0;
  let input = 0;
  for (const metered of meterCache(bodies)) {
    const usage = { ...noTokens, ...metered, outputTokens: outputTokensPerCall };
    const provider = { id: type, type, baseUrl: null };
    const price = await calculatePrice(provider, model, usage, async () => new Map());
    if (!price.priced) throw new Error(`${model} has no price`);
    cost += price.cost.totalCost;
    read += metered.cachedTokens;
    input += metered.inputTokens;
  }
  return { cost, read: read / (read + input) };
};

const dollars = (amount: number): string => `$${amount.toFixed(4)}`;
const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** Renders what a conversation of ten turns with a tool costs by list prices, without and with a cache. */
export const renderCacheCosts = async (server: ModelServer): Promise<string> => {
  const lines: string[] = [];
  for (const named of models) {
    const off = await priceConversation(server, named, "off");
    const auto = await priceConversation(server, named, "auto");
    const saved = percent(1 - auto.cost / off.cost);
    const [type, model] = named;
    lines.push(
      `| ${type} | \`${model}\` | ${dollars(off.cost)} | ${dollars(auto.cost)} | ${saved} | ${percent(auto.read)} |`,
    );
  }
  return [
    "| Provider | Model | `off` | `auto` | Saved | Input read from the cache |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
};
