import { Validations } from "aws-cdk-lib/core";
import type { IConstruct } from "constructs";

/**
 * Accepts a finding of cdk-nag, with the reason. Give the rule's own id, as `S1`, with the finding in
 * brackets where the rule has several.
 */
export const acknowledge = (construct: IConstruct, rule: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
