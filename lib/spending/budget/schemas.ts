import * as z from "zod";
import { type BudgetItem, ThresholdRule } from "../../agents/agent/budget.ts";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { nullAs } from "../../values/json/null-as.ts";

const maxRules = 20;
/** Amounts are rounded to 1e-12 US dollars. */
const smallestAmount = 1e-12;
const largestAmount = 1e12;

const amount = z
  .number()
  .min(smallestAmount, "must be greater than 0")
  .max(largestAmount)
  .meta({ description: "US dollars a calendar month (UTC).", example: 50 });

/** The members of an agent that its spending is checked by. */
export type BudgetedAgent = { id: string; createdAt: number; budget: BudgetItem | null };

/** Public representation of an agent's budget with its current use. */
export const AgentBudget = z
  .object({
    agentId: ChosenId,
    amount: z.number(),
    thresholdRules: z.array(ThresholdRule),
    enforceLimit: z
      .boolean()
      .meta({ description: "Whether executions are refused once the amount is spent." }),
    allowUnpriced: z.boolean().meta({
      description:
        "Whether models without a price, which count as free, may be called although the limit is enforced.",
    }),
    currentMonthlyCost: z.number().meta({
      description:
        "Cost of the executions that started in this UTC month, and of judges that scored them in the background, in US dollars.",
    }),
    usagePercent: z.number().meta({ description: "currentMonthlyCost / amount × 100." }),
    periodStart: Timestamp.meta({
      description: "Start of the month, inclusive, in Unix milliseconds.",
    }),
    periodEnd: Timestamp.meta({
      description: "End of the month, exclusive, in Unix milliseconds.",
    }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "AgentBudget" });
export type AgentBudget = z.output<typeof AgentBudget>;

/** Request body that sets a budget. */
export const PutBudgetBody = z
  .object({
    amount,
    thresholdRules: nullAs(
      z
        .array(ThresholdRule)
        .max(maxRules)
        .superRefine((rules, { addIssue }) => {
          for (const [at, { percent }] of rules.entries()) {
            if (rules.findIndex((rule) => rule.percent === percent) === at) continue;
            addIssue({ code: "custom", path: [at, "percent"], message: "is given twice" });
          }
        }),
      [],
    ),
    enforceLimit: nullAs(z.boolean(), false),
    allowUnpriced: nullAs(z.boolean(), false),
  })
  .meta({
    id: "PutBudgetBody",
    example: {
      amount: 50,
      thresholdRules: [{ percent: 80 }, { percent: 100 }],
      enforceLimit: true,
    },
  });
export type PutBudgetBody = z.output<typeof PutBudgetBody>;
