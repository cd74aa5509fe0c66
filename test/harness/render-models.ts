import { defaultFallbackOn } from "../../lib/engine/models/llm-options.ts";
import { renderCacheCosts } from "./cache-costs.ts";
import { type Way, ways } from "./model-failures.ts";
import type { ModelServer } from "./model-server.ts";

const describe = ({ outcome }: Way): readonly [string, string] => {
  switch (outcome) {
    case "own mistake":
      return ["", "the step fails: the configuration must be corrected"];
    case "after text":
      return ["", "the step fails; its `retry` begins again, with `output.reset`"];
    default: {
      const isDefault = defaultFallbackOn.includes(outcome);
      return [
        `\`${outcome}\``,
        isDefault ? "the next model" : "the next model if `fallbackOn` lists it",
      ];
    }
  }
};

const renderFailures = (): string =>
  [
    "| Failure of the model's service | Reason | What happens |",
    "|---|---|---|",
    ...ways.map((way) => `| ${[way.name, ...describe(way)].join(" | ")} |`),
  ].join("\n");

const replace = (page: string, name: string, table: string): string => {
  const begin = `<!-- ${name}: written by npm run models -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = page.split(begin);
  const [, after] = (rest ?? "").split(end);
  if (after === undefined) throw new Error(`docs/models.md has no place for ${name}`);
  return `${before}${begin}\n${table}\n${end}${after}`;
};

/** The page about models, with its generated tables. */
export const renderModels = async (page: string, server: ModelServer): Promise<string> =>
  replace(
    replace(page, "failures", renderFailures()),
    "cache costs",
    await renderCacheCosts(server),
  );

/** The page's file. */
export const modelsPage = new URL("../../docs/models.md", import.meta.url);
