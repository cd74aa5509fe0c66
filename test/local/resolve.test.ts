import { describe, expect, test } from "vitest";
import type { Assembly } from "../../infra/local/template/assembly.ts";
import type { Json } from "../../infra/local/template/json.ts";
import { createResolver } from "../../infra/local/template/resolve.ts";
import { TemplateError } from "../../infra/local/template/template-error.ts";

/** Converts `<name>` to a variable of `Fn::Sub`. */
const variables = (text: string): string =>
  text.replaceAll(/<([^>]+)>/g, (_, name) => `\${${name}}`);

const resource = (Type: string, Properties: Record<string, Json> = {}) => ({
  Type,
  Properties,
  Metadata: {},
});
const data = {
  name: "Data",
  Resources: {
    Table: resource("AWS::DynamoDB::Table"),
    Queue: resource("AWS::SQS::Queue", {
      QueueName: { "Fn::Join": ["-", ["a", { Ref: "Stage" }]] },
    }),
    Bucket: resource("AWS::S3::Bucket"),
    Odd: resource("AWS::New::Thing"),
  },
  Parameters: { Stage: { Default: "live" } },
  Outputs: {
    Arn: {
      Value: { "Fn::GetAtt": ["Queue", "Arn"] },
      Export: { Name: { "Fn::Sub": variables("<AWS::StackName>:Arn") } },
    },
  },
};
const api = { name: "Api", Resources: {}, Parameters: {}, Outputs: {} };
const assembly: Assembly = { directory: "/", stacks: [data, api], assets: new Map() };
const { resolve } = createResolver(assembly, "http://127.0.0.1:9");
const inData = (value: Json) => resolve(data, value, "Somewhere");

describe("intrinsics", () => {
  test.each<[string, Json, Json]>([
    ["Ref of a table is its name", { Ref: "Table" }, "Data-Table"],
    ["Ref of a queue is its URL", { Ref: "Queue" }, "http://127.0.0.1:9/000000000000/a-live"],
    ["Fn::GetAtt", { "Fn::GetAtt": ["Queue", "Arn"] }, "arn:aws:sqs:us-east-1:000000000000:a-live"],
    ["Fn::GetAtt in dotted form", { "Fn::GetAtt": "Queue.QueueName" }, "a-live"],
    ["a pseudo parameter", { Ref: "AWS::AccountId" }, "000000000000"],
    ["a parameter's default", { Ref: "Stage" }, "live"],
    ["Fn::Join", { "Fn::Join": ["/", ["x", { Ref: "AWS::Region" }, 3]] }, "x/us-east-1/3"],
    ["Fn::Select of Fn::Split", { "Fn::Select": ["1", { "Fn::Split": [":", "a:b"] }] }, "b"],
    [
      "Fn::Sub",
      { "Fn::Sub": [variables("<A>-<Queue.Arn>-<!Kept>"), { A: { Ref: "Stage" } }] },
      variables("live-arn:aws:sqs:us-east-1:000000000000:a-live-<Kept>"),
    ],
    [
      "the ARN of a bucket has its name in lower case",
      { "Fn::GetAtt": ["Bucket", "Arn"] },
      "arn:aws:s3:::data-bucket",
    ],
    ["AWS::NoValue removes the member", { A: { Ref: "AWS::NoValue" }, B: [1] }, { B: [1] }],
    [
      "Condition in a policy statement is not an intrinsic",
      { Condition: { StringLike: { a: "b" } } },
      { Condition: { StringLike: { a: "b" } } },
    ],
  ])("%s", (_, value, expected) => {
    expect(inData(value)).toEqual(expected);
  });

  test("Fn::ImportValue finds the export of another stack", () => {
    expect(resolve(api, { "Fn::ImportValue": "Data:Arn" }, "p")).toBe(
      "arn:aws:sqs:us-east-1:000000000000:a-live",
    );
  });

  test.each<[string, Json]>([
    ["an unknown intrinsic", { a: [{ "Fn::Cidr": ["x"] }] }],
    ["an unknown resource", { a: [{ Ref: "Nothing" }] }],
    ["an unknown attribute", { a: [{ "Fn::GetAtt": ["Odd", "Colour"] }] }],
    ["an unknown export", { a: [{ "Fn::ImportValue": "none" }] }],
  ])("%s is an error that names the stack and the place", (_, value) => {
    expect(() => inData(value)).toThrow(TemplateError);
    expect(() => inData(value)).toThrow(/template Data, Somewhere\.a\[0\]/);
  });
});
