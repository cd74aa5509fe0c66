import type { PriceName } from "./prices.ts";

/**
 * Billing of a type of resource: by prices of this page, or for another reason not in its tables.
 */
export type Billing = { prices: readonly PriceName[]; note: string };

const free = (note: string): Billing => ({ prices: [], note });

/** The billing of each type of resource in the templates. A test fails for a type that is not listed. */
export const billedTypes: Readonly<Record<string, Billing>> = {
  "AWS::ApiGateway::Account": free("a setting of the account"),
  "AWS::ApiGateway::Deployment": free("part of the API"),
  "AWS::ApiGateway::RestApi": { prices: ["gatewayRequest"], note: "by request" },
  "AWS::ApiGateway::Stage": {
    prices: ["logGigabyte"],
    note: "access log by byte; no cache, no execution log",
  },
  "AWS::CloudFront::CachePolicy": free("part of the distribution"),
  "AWS::CloudFront::Distribution": {
    prices: ["edgeRequest", "edgeGigabyteOut", "edgeGigabyteToOrigin"],
    note: "by request and byte, no fixed price",
  },
  "AWS::CloudFront::Function": {
    prices: ["edgeFunction"],
    note: "by request of a console page, not of the API",
  },
  "AWS::CloudFront::OriginAccessControl": free("part of the distribution"),
  "AWS::CloudFront::ResponseHeadersPolicy": free("part of the distribution"),
  "AWS::CloudWatch::Alarm": { prices: ["alarmMetric"], note: "by metric and month" },
  "AWS::CloudWatch::Dashboard": { prices: ["dashboard"], note: "by month" },
  "AWS::Cognito::ManagedLoginBranding": free("part of the user pool"),
  "AWS::Cognito::UserPool": free("plan Essentials: the first 10,000 users of a month are free"),
  "AWS::Cognito::UserPoolClient": free("part of the user pool"),
  "AWS::Cognito::UserPoolDomain": free("part of the user pool"),
  "AWS::DynamoDB::Table": {
    prices: ["writeUnit", "readUnit", "tableGigabyte"],
    note: "by unit, and by GB and month; point-in-time recovery by GB and month, too",
  },
  "AWS::Events::Rule": free("scheduled rules are not billed; each starts a job's function"),
  "AWS::IAM::ManagedPolicy": free("IAM is not billed"),
  "AWS::IAM::Role": free("IAM is not billed"),
  "AWS::KMS::Key": { prices: ["key", "keyRequest"], note: "by month, and by request" },
  "AWS::Lambda::EventInvokeConfig": free("part of the function"),
  "AWS::Lambda::EventSourceMapping": {
    prices: ["queueRequest"],
    note: "its polling is billed by SQS, empty receives included",
  },
  "AWS::Lambda::Function": {
    prices: ["invocation", "gigabyteSecond"],
    note: "by request and by time, waits included",
  },
  "AWS::Lambda::Permission": free("part of the function"),
  "AWS::Logs::LogGroup": {
    prices: ["logGigabyte", "logGigabyteKept"],
    note: "by GB written, and by GB and month",
  },
  "AWS::Logs::MetricFilter": {
    prices: ["customMetric"],
    note: "its metric, in the hours with broken calls",
  },
  "AWS::S3::Bucket": {
    prices: ["bucketWrite", "bucketRead", "bucketGigabyte"],
    note: "by request, and by GB and month, earlier versions included",
  },
  "AWS::S3::BucketPolicy": free("part of the bucket"),
  "AWS::S3Vectors::VectorBucket": {
    prices: ["vectorGigabyte", "vectorGigabyteWritten", "vectorQuery"],
    note: "by GB and month, by GB written and by query",
  },
  "AWS::SecretsManager::Secret": {
    prices: ["secret"],
    note: "by month; read by deployments, not by requests",
  },
  "AWS::SNS::Topic": free("mails to ALARM_EMAIL; the first 1,000 a month are free"),
  "AWS::SNS::TopicPolicy": free("part of the topic"),
  "AWS::SQS::Queue": { prices: ["queueRequest"], note: "by request of 64 KB" },
  "AWS::SQS::QueuePolicy": free("part of the queue"),
  "AWS::Scheduler::ScheduleGroup": { prices: ["schedule"], note: "by start of an agent" },
};
