import { writeFileSync } from "node:fs";
import { readCounts, readPrices } from "./prices.ts";
import { renderCosts } from "./render-costs.ts";

// `npm run costs`: writes docs/costs.md from the counts and the prices.
const page = renderCosts({
  prices: readPrices(),
  now: readCounts("counts.json"),
  before: readCounts("counts-before.json"),
});
writeFileSync(new URL("../../../docs/costs.md", import.meta.url), page);
