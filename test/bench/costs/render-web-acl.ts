import { webAclRules } from "../../../infra/constructs/web-acl-rules.ts";
import { product } from "../../../infra/functions/product.ts";
import { readConfig } from "../../../infra/settings/config.ts";
import { webAclFor } from "../../../infra/stacks/api.ts";
import { type Cell, renderRows } from "../table.ts";
import { getPrice, type Pricing } from "./dollars.ts";
import { money } from "./money.ts";

const million = 1_000_000;
const domain = {
  DOMAIN_NAME: "api.example.com",
  DOMAIN_CERTIFICATE_ARN: "arn:aws:acm:eu-west-1:123456789012:certificate/1a-2b",
};

/** Settings with a web ACL, and whether a distribution is in front of the API. */
const deployments: readonly { settings: Record<string, string>; distribution: boolean }[] = [
  { settings: { MAX_REQUESTS_PER_MINUTE: "30000" }, distribution: true },
  { settings: { WEB_ACL: "true" }, distribution: true },
  { settings: { WEB_ACL: "true", MAX_REQUESTS_PER_MINUTE: "30000" }, distribution: true },
  { settings: { WEB_ACL: "true", CONSOLE_STACK: "false" }, distribution: false },
  { settings: { WEB_ACL: "true", ...domain }, distribution: true },
];

/** Renders the price of a web ACL, by the rules that the settings make. */
export const renderWebAcl = ({ prices }: Pick<Pricing, "prices">): string[] => {
  const request = getPrice(prices, "webAclRequest");
  const edge = getPrice(prices, "edgeFunction");
  const rows = deployments.map(({ settings, distribution }): Cell[] => {
    const config = readConfig(settings);
    const secret = distribution ? "SECRET" : undefined;
    const rules = webAclRules(webAclFor(config, product, secret)).length;
    const shown = Object.entries(settings).filter(([name]) => name !== "DOMAIN_CERTIFICATE_ARN");
    return [
      shown.map(([name, value]) => `\`${name}=${value}\``).join(" "),
      rules,
      money(getPrice(prices, "webAcl") + rules * getPrice(prices, "webAclRule")),
      money(million * (request + (config.WEB_ACL && distribution ? edge : 0))),
    ];
  });
  return [
    "## With a web ACL",
    "",
    "None by default. A web ACL has a price for each month, each rule and each request, also for those that it blocks. Behind the",
    "distribution, a function at the edge adds the address of the viewer to each request of the API.",
    "",
    renderRows({ columns: ["settings", "rules", "a month, $", "a million requests, $"], rows }),
    "",
    "A managed rule group counts as one rule. Those that are used have no subscription, and no rule makes bodies above 16 KB be inspected,",
    "which would cost extra.",
    "",
  ];
};
