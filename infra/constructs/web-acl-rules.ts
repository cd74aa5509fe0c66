import type { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { originSecretHeader } from "../../lib/edge/viewer-address.ts";

type Rule = CfnWebACL.RuleProperty;
type Statement = CfnWebACL.StatementProperty;
type RateBased = CfnWebACL.RateBasedStatementProperty;

/** Header in which the distribution sends the address of its viewer, without a port. */
export const viewerIpHeader = "x-wharf-viewer-ip";

/** Key of the body of a 429. */
export const tooManyRequests = "too-many-requests";

/** Ways of requests to the stage. */
export type RequestSources = {
  /** Reference to the secret that a distribution adds to its requests; undefined without a distribution. */
  distributionSecret: string | undefined;
  /** Whether clients call the stage themselves, so that the source of their requests is their address. */
  hasDirectClients: boolean;
};

/** Input of the rules. */
export type WebAclRules = {
  /** Name of the web ACL, and prefix of the names of its metrics. */
  name: string;
  sources: RequestSources;
  /** Requests of all callers together per minute; undefined without a limit. */
  maxRequests: number | undefined;
  /** Managed rules and the limit per address; undefined without them. */
  protection: { maxAddressRequests: number; inboundPaths: readonly string[] } | undefined;
};

/** Seconds in which a web ACL counts requests; it estimates the rate several times in them. */
const windowSeconds = 60;

/**
 * Deliveries of one address per minute are a multiple of its other requests, as `RATE_LIMIT_INBOUND_REQUESTS` is of
 * `RATE_LIMIT_REQUESTS`: providers send for all of their customers from few addresses.
 */
const inboundFactor = 10;

/**
 * Rules of the managed groups that only count. Bodies are prompts, documents, code and messages of other systems, which
 * may contain any text and are longer than 8 KB. Some senders of webhooks have no User-Agent. Query strings have tokens
 * of pages. A name that a group does not have is ignored (AWS WAF Developer Guide, "Overriding rule group actions").
 */
const countedRules: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesCommonRuleSet: [
    "NoUserAgent_HEADER",
    "SizeRestrictions_QUERYSTRING",
    "SizeRestrictions_BODY",
    "EC2MetaDataSSRF_BODY",
    "GenericLFI_BODY",
    "GenericRFI_BODY",
    "CrossSiteScripting_BODY",
  ],
  AWSManagedRulesKnownBadInputsRuleSet: [
    "JavaDeserializationRCE_BODY",
    "Log4JRCE_BODY",
    "ReactJSRCE_BODY",
  ],
};

/** Reads the source of a request, which behind a distribution is the distribution's. */
const addressGroup = "AWSManagedRulesAmazonIpReputationList";

/** Returns the metrics of a web ACL or rule. */
export const webAclMetrics = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/**
 * Returns the rules of a web ACL, in the order of their evaluation: limits of rates first, so that a flood ends at the
 * cheapest rule.
 */
export const webAclRules = ({ name, sources, maxRequests, protection }: WebAclRules): Rule[] => {
  const rules: Omit<Rule, "priority" | "visibilityConfig">[] = [
    ...(maxRequests === undefined ? [] : [allCallers(maxRequests, sources)]),
    ...(protection === undefined
      ? []
      : [...addressLimits(sources, protection), ...managedRules(sources, protection.inboundPaths)]),
  ];
  return rules.map((rule, priority) => ({
    ...rule,
    priority,
    visibilityConfig: webAclMetrics(`${name}-${rule.name}`),
  }));
};

const text = (field: CfnWebACL.FieldToMatchProperty, constraint: string, searchString: string) => ({
  byteMatchStatement: {
    fieldToMatch: field,
    positionalConstraint: constraint,
    searchString,
    textTransformations: [{ priority: 0, type: "NONE" }],
  },
});

const everyPath = text({ uriPath: {} }, "STARTS_WITH", "/");

const fromDistribution = (secret: string): Statement =>
  text({ singleHeader: { Name: originSecretHeader } }, "EXACTLY", secret);

const not = (statement: Statement): Statement => ({ notStatement: { statement } });
const and = (...statements: Statement[]): Statement =>
  statements.length === 1 ? { ...statements[0] } : { andStatement: { statements } };

const limitRate = (name: string, limit: number, counted: Omit<RateBased, "limit">) => ({
  name,
  statement: {
    rateBasedStatement: { ...counted, limit, evaluationWindowSec: windowSeconds },
  },
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        responseHeaders: [{ name: "Retry-After", value: String(windowSeconds) }],
        customResponseBodyKey: tooManyRequests,
      },
    },
  },
});

/**
 * Counts all requests as one, which requires a condition. Where only the distribution is admitted, other requests do not
 * count: callers of the closed address cannot use up the limit.
 */
const allCallers = (limit: number, { distributionSecret, hasDirectClients }: RequestSources) =>
  limitRate("requests-of-all-callers", limit, {
    aggregateKeyType: "CONSTANT",
    scopeDownStatement:
      distributionSecret === undefined || hasDirectClients
        ? everyPath
        : fromDistribution(distributionSecret),
  });

/** Limits the requests of an address, and its deliveries apart from them. */
const addressLimits = (
  { distributionSecret, hasDirectClients }: RequestSources,
  { maxAddressRequests, inboundPaths }: NonNullable<WebAclRules["protection"]>,
) => {
  const inbound = matchesPath(inboundPaths);
  const distributed =
    distributionSecret === undefined ? undefined : fromDistribution(distributionSecret);
  const limitBoth = (origin: string, key: Omit<RateBased, "limit">, ...conditions: Statement[]) => [
    limitRate(`requests-of-an-address-${origin}`, maxAddressRequests, {
      ...key,
      scopeDownStatement: and(...conditions, not(inbound)),
    }),
    limitRate(`deliveries-of-an-address-${origin}`, maxAddressRequests * inboundFactor, {
      ...key,
      scopeDownStatement: and(...conditions, inbound),
    }),
  ];
  return [
    ...(distributed === undefined
      ? []
      : limitBoth(
          "by-distribution",
          {
            aggregateKeyType: "FORWARDED_IP",
            forwardedIpConfig: { headerName: viewerIpHeader, fallbackBehavior: "NO_MATCH" },
          },
          distributed,
        )),
    ...(hasDirectClients
      ? limitBoth(
          "direct",
          { aggregateKeyType: "IP" },
          ...(distributed === undefined ? [] : [not(distributed)]),
        )
      : []),
  ];
};

const managedRules = ({ hasDirectClients }: RequestSources, inboundPaths: readonly string[]) => [
  ...Object.entries(countedRules).map(([group, counted]) => ({
    name: group,
    statement: {
      managedRuleGroupStatement: {
        vendorName: "AWS",
        name: group,
        ruleActionOverrides: counted.map((name) => ({ name, actionToUse: { count: {} } })),
      },
    },
    overrideAction: { none: {} },
  })),
  ...(hasDirectClients
    ? [
        {
          name: addressGroup,
          statement: {
            managedRuleGroupStatement: {
              vendorName: "AWS",
              name: addressGroup,
              // A provider that is listed by mistake would lose deliveries; they are signed or have a key.
              scopeDownStatement: not(matchesPath(inboundPaths)),
            },
          },
          overrideAction: { none: {} },
        },
      ]
    : []),
];

/** Matches the resources of deliveries with any value of their variables, below any stage. */
const matchesPath = (resources: readonly string[]): Statement => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: `(${[...new Set(resources)].map(resourcePattern).join("|")})$`,
    textTransformations: [{ priority: 0, type: "NONE" }],
  },
});

const resourcePattern = (resource: string): string => resource.replaceAll(/\{[^{}]+\}/g, "[^/]+");
