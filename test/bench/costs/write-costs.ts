import { writeFileSync } from "node:fs";
import { synthesizedAnew } from "../../infra/synthesized.ts";
import { readCounts, readPrices } from "./prices.ts";
import { readStack } from "./read-stack.ts";
import { renderCosts } from "./render-costs.ts";

// `npm run costs`: writes docs/costs.md from the counts, the prices and the templates.
const page = renderCosts({
  prices: readPrices(),
  stack: readStack(await synthesizedAnew({})),
  counts: readCounts(),
});
writeFileSync(new URL("../../../docs/costs.md", import.meta.url), page);
