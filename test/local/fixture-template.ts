import {
  allow,
  arn,
  gatewayResponse,
  gatewayRole,
  integration,
  lambda,
  streamingIntegration,
} from "./fixture-parts.ts";

const table = arn("Table");
const tableActions = [
  "dynamodb:GetItem",
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  "dynamodb:Query",
];

/** Templates with one resource of each supported kind; `directory` contains the functions' code. */
export const fixtureTemplates = (directory: string) => ({
  Data: {
    Resources: {
      Table: {
        Type: "AWS::DynamoDB::Table",
        Properties: {
          AttributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map((name) => ({
            AttributeName: name,
            AttributeType: "S",
          })),
          KeySchema: [
            { AttributeName: "pk", KeyType: "HASH" },
            { AttributeName: "sk", KeyType: "RANGE" },
          ],
          GlobalSecondaryIndexes: [
            {
              IndexName: "gsi1",
              KeySchema: [
                { AttributeName: "gsi1pk", KeyType: "HASH" },
                { AttributeName: "gsi1sk", KeyType: "RANGE" },
              ],
              Projection: { ProjectionType: "KEYS_ONLY" },
            },
          ],
          BillingMode: "PAY_PER_REQUEST",
          TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
        },
      },
      Bucket: { Type: "AWS::S3::Bucket", Properties: {} },
      SealKey: { Type: "AWS::KMS::Key", Properties: {} },
      DeadLetters: { Type: "AWS::SQS::Queue", Properties: { QueueName: "dead-letters" } },
      Work: {
        Type: "AWS::SQS::Queue",
        Properties: {
          QueueName: "work",
          VisibilityTimeout: 600,
          RedrivePolicy: { deadLetterTargetArn: arn("DeadLetters"), maxReceiveCount: 2 },
        },
      },
      Singles: { Type: "AWS::SQS::Queue", Properties: { QueueName: "singles" } },
      Parked: {
        Type: "AWS::SQS::Queue",
        Properties: { QueueName: "parked", VisibilityTimeout: 600 },
      },
    },
    Outputs: {
      Table: { Value: { Ref: "Table" }, Export: { Name: "Data:Table" } },
      TableArn: { Value: table, Export: { Name: "Data:TableArn" } },
      WorkArn: { Value: arn("Work"), Export: { Name: "Data:WorkArn" } },
      WorkUrl: { Value: { Ref: "Work" }, Export: { Name: "Data:WorkUrl" } },
      SinglesArn: { Value: arn("Singles"), Export: { Name: "Data:SinglesArn" } },
      SinglesUrl: { Value: { Ref: "Singles" }, Export: { Name: "Data:SinglesUrl" } },
      ParkedArn: { Value: arn("Parked"), Export: { Name: "Data:ParkedArn" } },
      ParkedUrl: { Value: { Ref: "Parked" }, Export: { Name: "Data:ParkedUrl" } },
      Bucket: { Value: { Ref: "Bucket" }, Export: { Name: "Data:Bucket" } },
      BucketArn: { Value: arn("Bucket"), Export: { Name: "Data:BucketArn" } },
      Key: { Value: { Ref: "SealKey" }, Export: { Name: "Data:Key" } },
      KeyArn: { Value: arn("SealKey"), Export: { Name: "Data:KeyArn" } },
    },
  },
  Api: { Resources: apiResources(directory) },
});

const imported = (name: string) => ({ "Fn::ImportValue": `Data:${name}` });

const names = {
  TABLE_NAME: imported("Table"),
  WORK_URL: imported("WorkUrl"),
  PARKED_URL: imported("ParkedUrl"),
  SINGLES_URL: imported("SinglesUrl"),
  BUCKET_NAME: imported("Bucket"),
  KEY_ID: imported("Key"),
};

const everything = [
  allow(tableActions, imported("TableArn")),
  allow(
    ["sqs:SendMessage", "sqs:ReceiveMessage"],
    [imported("WorkArn"), imported("SinglesArn"), imported("ParkedArn")],
  ),
  allow(["s3:GetObject", "s3:PutObject"], { "Fn::Join": ["", [imported("BucketArn"), "/*"]] }),
  allow(["kms:GenerateDataKey", "kms:Decrypt"], imported("KeyArn")),
];

const apiResources = (directory: string) => ({
  ...lambda("echo", directory, { code: "echo" }),
  ...lambda("able", directory, { code: "call", environment: names, statements: everything }),
  ...lambda("nobody", directory, { code: "call", environment: names }),
  ...lambda("keyed", directory, {
    code: "call",
    environment: names,
    statements: [
      allow(["dynamodb:UpdateItem", "dynamodb:PutItem", "dynamodb:Query"], imported("TableArn"), {
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["RATE#*"] },
      }),
    ],
  }),
  ...lambda("shape", directory, { code: "shape" }),
  ...lambda("slow", directory, { code: "slow", timeout: 1 }),
  ...lambda("slowest", directory, { code: "slow", timeout: 30 }),
  ...lambda("streams", directory, { code: "streams", timeout: 60 }),
  ...lambda("broken", directory, { code: "broken" }),
  ...lambda("worker", directory, {
    code: "worker",
    environment: names,
    statements: [
      allow(["dynamodb:UpdateItem"], imported("TableArn")),
      allow(
        ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"],
        imported("WorkArn"),
      ),
    ],
  }),
  Messages: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: {
      EventSourceArn: imported("WorkArn"),
      FunctionName: { Ref: "worker" },
      BatchSize: 10,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: 2 },
    },
  },
  ...lambda("together", directory, {
    code: "together",
    timeout: 60,
    statements: [allow(["sqs:ReceiveMessage", "sqs:DeleteMessage"], imported("SinglesArn"))],
  }),
  Singles: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: {
      EventSourceArn: imported("SinglesArn"),
      FunctionName: { Ref: "together" },
      BatchSize: 1,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: 100 },
    },
  },
  ...lambda("job", directory, { code: "job" }),
  Clock: {
    Type: "AWS::Events::Rule",
    Properties: {
      Name: "job-clock",
      ScheduleExpression: "rate(2 hours)",
      State: "ENABLED",
      Targets: [{ Arn: arn("job"), Id: "Target0", RetryPolicy: { MaximumRetryAttempts: 0 } }],
    },
  },
  ...lambda("unreachable", directory, { code: "echo" }),
  ...lambda("capped", directory, { code: "slow", timeout: 1, reservedConcurrency: 1 }),
  ...lambda("closed", directory, { code: "streams", reservedConcurrency: 0 }),
  ...gatewayRole([
    "capped",
    "closed",
    "echo",
    "able",
    "nobody",
    "keyed",
    "shape",
    "slow",
    "slowest",
    "streams",
    "broken",
    "together",
    "job",
  ]),
  Stage: { Type: "AWS::ApiGateway::Stage", Properties: { StageName: "live" } },
  Rest: {
    Type: "AWS::ApiGateway::RestApi",
    Properties: {
      Body: {
        paths: {
          "/": { "x-amazon-apigateway-any-method": integration("echo") },
          "/echo/{p1}": { "x-amazon-apigateway-any-method": integration("echo") },
          "/things:act": { post: integration("echo") },
          "/unreachable": { post: integration("unreachable") },
          "/capped": { post: integration("capped") },
          "/closed": { post: streamingIntegration("closed") },
          "/able": { post: integration("able") },
          "/nobody": { post: integration("nobody") },
          "/keyed": { post: integration("keyed") },
          "/shape": { post: integration("shape") },
          "/slow": { post: integration("slow") },
          "/slowest": { post: integration("slowest") },
          "/streams": { post: streamingIntegration("streams") },
          "/streams-briefly": { post: streamingIntegration("streams", 500) },
          "/streams-whole": { post: integration("streams") },
          "/whole-streamed": { post: streamingIntegration("shape") },
          "/together": { post: integration("together") },
          "/job": { post: integration("job") },
          "/broken": { post: integration("broken") },
          "/rest/{proxy+}": { "x-amazon-apigateway-any-method": integration("echo") },
        },
        "x-amazon-apigateway-gateway-responses": {
          DEFAULT_5XX: gatewayResponse("500", "Internal error"),
          INTEGRATION_FAILURE: gatewayResponse("503", "Too busy"),
          INTEGRATION_TIMEOUT: gatewayResponse("504", "Too slow"),
          MISSING_AUTHENTICATION_TOKEN: gatewayResponse("404", "No such route"),
        },
      },
    },
  },
});
