import * as z from "zod";
import { functionNameOf } from "./functions.ts";
import { findResources, type Source } from "./model.ts";
import { parse } from "./storage.ts";
import { TemplateError } from "./template-error.ts";

const RuleProperties = z.object({
  ScheduleExpression: z.string(),
  State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
  Targets: z.array(z.object({ Arn: z.string() })),
});

/** A rule that starts a function again and again. */
export type LocalSchedule = { ruleArn: string; functionName: string; everyMilliseconds: number };

const units: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** The rules of the template that are enabled and start functions at a rate. */
export const readSchedules = (source: Source): LocalSchedule[] =>
  findResources(source, "AWS::Events::Rule").flatMap(({ stack, logicalId, resource, place }) => {
    const resolved = source.resolver.resolve(stack, resource.Properties, place);
    const rule = parse(RuleProperties, resolved, stack.name, place);
    if (rule.State === "DISABLED") return [];
    const [, count, unit = ""] =
      /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rule.ScheduleExpression) ?? [];
    const everyMilliseconds = Number(count) * (units[unit] ?? Number.NaN);
    if (!(everyMilliseconds > 0)) {
      throw new TemplateError(
        `template ${stack.name}, ${place}.ScheduleExpression: only rate(…) runs here`,
      );
    }
    const ruleArn = source.resolver.identity(stack, logicalId, place).attributes.Arn ?? "";
    return rule.Targets.map(({ Arn }, index) => {
      if (!Arn.startsWith("arn:aws:lambda:")) {
        throw new TemplateError(
          `template ${stack.name}, ${place}.Targets[${index}]: only functions are targets here`,
        );
      }
      return { ruleArn, functionName: functionNameOf(Arn), everyMilliseconds };
    });
  });
