import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

/** A sentence: more than one word, and a full stop. */
export type Sentence = `${string} ${string}.`;

/** Properties of an alarm. */
export type HouseAlarmProps = {
  metric: IMetric;
  /** The alarm fires at this value and above. */
  threshold: number;
  /** Consecutive periods at the threshold. */
  periods?: number;
  /** Effect on users, the first thing that an engineer on call reads. */
  userImpact: Sentence;
  topic: ITopic;
};

/** An alarm that states its effect on users. Missing data is not breaching. */
export class HouseAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: HouseAlarmProps) {
    super(scope, id, {
      metric: props.metric,
      threshold: props.threshold,
      evaluationPeriods: props.periods ?? 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: props.userImpact,
    });
    this.addAlarmAction(new SnsAction(props.topic));
  }
}
