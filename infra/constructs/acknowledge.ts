import { Validations } from "aws-cdk-lib/core";
import type { IConstruct } from "constructs";

/** Suppresses a cdk-nag finding with a reason. `rule` is the rule ID, such as `S1`, with the finding in brackets if any. */
export const acknowledge = (construct: IConstruct, rule: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
