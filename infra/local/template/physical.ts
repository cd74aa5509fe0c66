import { createHash } from "node:crypto";
import type { TemplateResource } from "./assembly.ts";

/** The account of the local stack. */
export const localAccount = "000000000000";

/** The region of the local stack. */
export const localRegion = "us-east-1";

/** The values of `Ref` and `Fn::GetAtt` for a resource. */
export type Identity = { ref: string; attributes: Readonly<Record<string, string>> };

type Named = {
  stack: string;
  logicalId: string;
  /** The name in the template, if any. */
  name: string | undefined;
  resource: TemplateResource;
  /** Base URL of the local queues. */
  queueEndpoint: string;
};

const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;

const deriveUuid = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join("-");
};

/** The property that holds the physical name, by resource type. */
export const nameProperty: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "TableName",
  "AWS::DynamoDB::GlobalTable": "TableName",
  "AWS::SQS::Queue": "QueueName",
  "AWS::S3::Bucket": "BucketName",
  "AWS::S3Vectors::VectorBucket": "VectorBucketName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::IAM::Role": "RoleName",
  "AWS::Logs::LogGroup": "LogGroupName",
  "AWS::ApiGateway::Stage": "StageName",
  "AWS::KMS::Alias": "AliasName",
  "AWS::SNS::Topic": "TopicName",
  "AWS::Events::Rule": "Name",
  "AWS::Scheduler::ScheduleGroup": "Name",
};

/** Returns a resource's local identity. Its name is the template's, or else built from stack and logical ID. */
export const deriveIdentity = ({
  stack,
  logicalId,
  name,
  resource,
  queueEndpoint,
}: Named): Identity => {
  const own = name ?? `${stack}-${logicalId}`;
  switch (resource.Type) {
    case "AWS::DynamoDB::Table":
    case "AWS::DynamoDB::GlobalTable":
      return named(own, { Arn: arn("dynamodb", `table/${own}`) });
    case "AWS::SQS::Queue": {
      const url = `${queueEndpoint}/${localAccount}/${own}`;
      return named(url, { Arn: arn("sqs", own), QueueName: own, QueueUrl: url });
    }
    case "AWS::S3::Bucket": {
      const bucket = own.toLowerCase();
      return named(bucket, { Arn: `arn:aws:s3:::${bucket}` });
    }
    case "AWS::S3Vectors::VectorBucket": {
      const bucket = own.toLowerCase();
      const bucketArn = arn("s3vectors", `bucket/${bucket}`);
      return named(bucketArn, { VectorBucketArn: bucketArn, VectorBucketName: bucket });
    }
    case "AWS::Lambda::Function":
      return named(own, { Arn: arn("lambda", `function:${own}`) });
    case "AWS::KMS::Key": {
      const id = deriveUuid(own);
      return named(id, { Arn: arn("kms", `key/${id}`), KeyId: id });
    }
    case "AWS::IAM::Role":
      return named(own, { Arn: `arn:aws:iam::${localAccount}:role/${own}`, RoleId: own });
    case "AWS::IAM::ManagedPolicy": {
      const policy = `arn:aws:iam::${localAccount}:policy/${own}`;
      return named(policy, { PolicyArn: policy });
    }
    case "AWS::Scheduler::ScheduleGroup":
      return named(own, { Arn: arn("scheduler", `schedule-group/${own}`) });
    case "AWS::Logs::LogGroup":
      return named(own, { Arn: arn("logs", `log-group:${own}:*`) });
    case "AWS::ApiGateway::RestApi":
      return named("local", { RestApiId: "local", RootResourceId: "root" });
    case "AWS::SNS::Topic":
      return named(arn("sns", own), { TopicArn: arn("sns", own), TopicName: own });
    case "AWS::Cognito::UserPool": {
      const id = `${localRegion}_local`;
      const provider = `cognito-idp.${localRegion}.amazonaws.com/${id}`;
      return named(id, {
        Arn: arn("cognito-idp", `userpool/${id}`),
        UserPoolId: id,
        ProviderName: provider,
        ProviderURL: `https://${provider}`,
      });
    }
    default:
      return named(own, { Arn: genericArn(resource.Type, own) });
  }
};

const named = (ref: string, attributes: Record<string, string>): Identity => ({ ref, attributes });

const genericArn = (type: string, name: string): string => {
  const [, service = "unknown", kind = "resource"] = type.toLowerCase().split("::");
  return arn(service, `${kind}/${name}`);
};
