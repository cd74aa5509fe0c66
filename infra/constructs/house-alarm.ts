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

/** What an alarm is made from. */
export type HouseAlarmProps = {
  metric: IMetric;
  /** The alarm goes off at this value and above. */
  threshold: number;
  /** Periods in a row that must be at the threshold. */
  periods?: number;
  /** What users suffer when it goes off; whoever is woken reads this first. */
  userImpact: Sentence;
  topic: ITopic;
};

/** An alarm that says what users suffer. Silence of the metric is not a fault. */
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
