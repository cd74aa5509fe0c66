import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Aws, RemovalPolicy } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** The topic of alarms, TLS only, with a customer managed key: the AWS managed key does not allow CloudWatch. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { email }: { email?: string | undefined }) {
    const cloudWatch = new ServicePrincipal("cloudwatch.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } },
    });
    const key = new Key(scope, `${id}Key`, {
      description: "Encrypts alarms in transit",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [cloudWatch],
        actions: ["kms:Decrypt", "kms:GenerateDataKey"],
        resources: ["*"],
      }),
    );
    super(scope, id, { masterKey: key, enforceSSL: true });
    this.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [cloudWatch],
        actions: ["sns:Publish"],
        resources: [this.topicArn],
      }),
    );
    if (email !== undefined) this.addSubscription(new EmailSubscription(email));
  }
}
