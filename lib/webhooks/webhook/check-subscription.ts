import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkExpressions, checkTemplates } from "../../values/expression/check-templates.ts";
import { collectTemplates, templateProblems } from "../../values/expression/collect-templates.ts";
import { isDeeperThan, maxJsonDepth } from "../../values/json/json.ts";
import { checkAgentInput } from "./check-agent-input.ts";
import { checkEventTypes } from "./check-event-types.ts";
import type { Subscription } from "./schemas.ts";

/** Maximum characters of JSON of a subscription's input. */
const maxInputLength = 65_536;
const maxErrors = 50;

/** Members of a subscription in a request. */
type Written = Pick<Subscription, "subscriberType" | "subscriberId"> & {
  eventTypes?: readonly string[] | null | undefined;
  filter?: string | null | undefined;
  input?: unknown;
  session?: unknown;
};

/** Throws 400 with every problem of a subscription's event types, filter and input. */
export const checkSubscription = async (
  deps: { db: Database; objects: ObjectStore },
  { tenantId, provider, written }: { tenantId: TenantId; provider: string; written: Written },
): Promise<void> => {
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const errors = [
    ...checkEventTypes(provider, written.eventTypes ?? []),
    ...(await checkFilter(written, processor)),
    ...(await checkJson("input", written.input, processor)),
    ...(await checkJson("session", written.session, processor)),
    ...checkSubscriber(written),
    ...(await checkAgentInput(deps, { tenantId, written })),
  ];
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors));
};

const checkFilter = async (
  { filter }: Written,
  processor: ProcessorBudget,
): Promise<ValidationIssue[]> => {
  if (filter === null || filter === undefined) return [];
  const [checked] = await checkExpressions([filter], processor);
  if (!checked || checked.ok) return [];
  const detail = `${checked.message} (at character ${checked.position}).`;
  return [{ pointer: "/filter", detail }];
};

const checkSubscriber = ({ subscriberType, session }: Written): ValidationIssue[] =>
  subscriberType === "Agent" || session === null || session === undefined
    ? []
    : [{ pointer: "/session", detail: "is for agents" }];

const checkJson = async (
  name: "input" | "session",
  input: unknown,
  processor: ProcessorBudget,
): Promise<readonly ValidationIssue[]> => {
  const pointer = `/${name}`;
  if (input === null || input === undefined) return [];
  if (isDeeperThan(input, maxJsonDepth)) {
    return [{ pointer, detail: `must not be nested deeper than ${maxJsonDepth} levels` }];
  }
  if (JSON.stringify(input).length > maxInputLength) {
    return [{ pointer, detail: `must have at most ${maxInputLength} characters of JSON` }];
  }
  const templates = collectTemplates(input, pointer);
  const texts = templates.map(({ text }) => text);
  return templateProblems(templates, await checkTemplates(texts, processor));
};
