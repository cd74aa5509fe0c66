import * as z from "zod";
import { parseFunctionName } from "./functions.ts";
import { findResources, type Source } from "./source.ts";

const RuleProperties = z.object({
  ScheduleExpression: z.string(),
  State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
  Targets: z.array(z.object({ Arn: z.string() })),
});

/** An EventBridge rule that invokes a function at a fixed rate. */
export type LocalSchedule = { ruleArn: string; functionName: string; everyMilliseconds: number };

const units: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** Reads the enabled rules. Throws a TemplateError unless they invoke functions at a fixed rate. */
export const readSchedules = (source: Source): LocalSchedule[] =>
  findResources(source, "AWS::Events::Rule").flatMap((resource) => {
    const rule = resource.read(RuleProperties);
    if (rule.State === "DISABLED") return [];
    const [, count, unit = ""] =
      /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rule.ScheduleExpression) ?? [];
    const everyMilliseconds = Number(count) * (units[unit] ?? Number.NaN);
    if (!(everyMilliseconds > 0)) {
      throw resource.fault("ScheduleExpression", "the local stack supports only rate(…)");
    }
    return rule.Targets.map(({ Arn }, index) => {
      if (!Arn.startsWith("arn:aws:lambda:")) {
        throw resource.fault(`Targets[${index}]`, "the local stack supports only functions");
      }
      return { ruleArn: resource.arn, functionName: parseFunctionName(Arn), everyMilliseconds };
    });
  });
