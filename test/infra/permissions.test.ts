import { beforeAll, expect, test } from "vitest";
import { everyFunction, product } from "../../infra/functions/product.ts";
import {
  everySetting,
  findLambda,
  parseManagedStatements,
  parseStatements,
  type Synthesized,
  synthesized,
} from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

const writes = [
  "PutItem",
  "DeleteItem",
  "BatchWriteItem",
  "ConditionCheckItem",
  "PartiQLInsert",
].map((action) => `dynamodb:${action}`);
const functions = everyFunction(product);
const http = product.http.map((record) => ({ record, name: record.name }));

test("every row, consumer and job has a Lambda function, and there is no other", () => {
  const deployed = stacks
    .resources("AWS::Lambda::Function")
    .map(({ Properties }) => String(Properties.FunctionName));
  expect(deployed.sort()).toEqual(functions.map(({ name }) => `Wharf-${name}`).sort());
});

test.each(functions)(
  "only functions that write to the table may write: $name",
  ({ name, access }) => {
    const { statements } = findLambda(stacks, name);
    const may = statements.flatMap(({ Action }) => Action);
    if (access.table === "write") expect(may).toEqual(expect.arrayContaining(writes));
    else for (const action of writes) expect(may).not.toContain(action);
  },
);

test.each(http)(
  "$name updates items freely only if it writes; else keys, rate windows and its slots alone",
  ({ record, name }) => {
    const updates = findLambda(stacks, name).statements.filter(({ Action }) =>
      Action.includes("dynamodb:UpdateItem"),
    );
    const free = updates.filter(({ Condition }) => Condition === undefined);
    const bound = updates.filter(({ Condition }) => Condition !== undefined);
    expect(free).toHaveLength(record.access.table === "write" ? 1 : 0);
    const isOpen = record.rows.every(({ scope, inbound }) => scope === "public" && !inbound);
    const own = (...keys: string[]) => ({
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys },
    });
    const hasSlots = record.rows.some(({ slots }) => slots !== undefined);
    expect(bound.map(({ Condition }) => Condition)).toEqual([
      ...(isOpen ? [] : [own("KEYHASH#*", "RATE#*")]),
      ...(hasSlots ? [own("SLOTS#*")] : []),
    ]);
  },
);

test.each(functions)(
  "$name gets the names of only those resources that it may use",
  ({ name, access }) => {
    const { environment, statements } = findLambda(stacks, name);
    const may = statements.flatMap(({ Action }) => Action);
    expect("BUCKET_NAME" in environment).toBe(access.bucket !== undefined);
    expect("SEAL_KEY_ID" in environment).toBe(access.secrets !== undefined);
    expect(may.includes("s3:GetObject")).toBe(
      access.bucket === "read" || access.bucket === "write",
    );
    expect(may.includes("s3:ListBucket")).toBe(access.bucket === "purge");
    expect(may.includes("s3:PutObject")).toBe(access.bucket === "write" || access.bucket === "put");
    expect(may.includes("kms:Decrypt")).toBe(access.secrets !== undefined);
    expect(may.includes("kms:GenerateDataKey")).toBe(access.secrets === "seal");
    const isWorker = product.workers.some((worker) => worker.name === name);
    expect(may.includes("sqs:SendMessage")).toBe(isWorker || (access.publishes ?? []).length > 0);
    for (const queue of access.publishes ?? []) {
      expect(environment).toHaveProperty(`QUEUE_URL_${queue.toUpperCase()}`);
    }
  },
);

test.each(functions)("$name may call models only if its row declares it", ({ name, access }) => {
  const { statements } = findLambda(stacks, name);
  const asking = statements.filter(({ Action }) => Action.join().includes("bedrock:Invoke"));
  const guarding = statements.filter(({ Action }) => Action.join() === "bedrock:ApplyGuardrail");
  expect(guarding.map(({ Resource }) => JSON.stringify(Resource))).toEqual(
    access.models ? [expect.stringMatching(/:guardrail\/\*"/)] : [],
  );
  expect(asking).toHaveLength(access.models ? 1 : 0);
  for (const { Action, Resource } of asking) {
    expect(Action).toEqual(["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"]);
    for (const resource of Resource) {
      expect(JSON.stringify(resource)).toMatch(
        /:(foundation-model|(application-)?inference-profile)\/\*"/,
      );
    }
  }
});

test("functions may call only the models of Bedrock that the deployment allows", {
  tags: "nightly",
}, async () => {
  const narrow = await synthesized("settings");
  const asking = functions.filter(({ access }) => access.models);
  expect(asking.length).toBeGreaterThan(0);
  for (const { name } of asking) {
    const { environment, statements } = findLambda(narrow, name);
    expect(environment.BEDROCK_MODELS).toBe(everySetting.BEDROCK_MODELS);
    const models = statements
      .filter(({ Action }) => Action.join().includes("bedrock:Invoke"))
      .map(({ Resource, Condition }) => [
        Resource.map(
          (arn) => /[a-z-]+\/[^"]+(?="\]\]|"$)/.exec(JSON.stringify(arn).replace(/}$/, ""))?.[0],
        ),
        JSON.stringify(Condition ?? "").includes("inference-profile/eu.amazon.nova-pro-v1:0"),
      ]);
    expect(models).toEqual([
      [
        [
          "foundation-model/anthropic.claude-*",
          "inference-profile/anthropic.claude-*",
          "foundation-model/eu.amazon.nova-pro-v1:0",
          "inference-profile/eu.amazon.nova-pro-v1:0",
        ],
        false,
      ],
      [["foundation-model/amazon.nova-pro-v1:0"], true],
    ]);
  }
});

/** Checks the state of a consent, which is bound to a browser and used once. */
const takesConsents = "finish-consent";

test("public functions reach nothing, but those that take deliveries, a signed link or a consent and check them themselves", () => {
  for (const { record, name } of http) {
    const isChecked = record.rows.some(
      ({ scope, inbound, signed, operation }) =>
        scope !== "public" || inbound || signed || operation === takesConsents,
    );
    if (isChecked) continue;
    const { environment, statements } = findLambda(stacks, name);
    expect(statements.flatMap(({ Action }) => Action)).toEqual([
      "logs:CreateLogStream",
      "logs:PutLogEvents",
    ]);
    expect(Object.keys(environment)).not.toContain("OIDC_ISSUER");
  }
});

test("no role may do anything to everything", () => {
  for (const role of stacks.resources("AWS::IAM::Role")) {
    for (const { Action, Resource } of parseStatements(role)) {
      expect(Resource).not.toContain("*");
      expect(Action.join()).not.toContain("*");
    }
  }
  expect(stacks.resources("AWS::IAM::Policy")).toEqual([]);
});

test("the gateway invokes functions in one role, which may invoke exactly those of the API", {
  tags: "nightly",
}, () => {
  const roles = stacks
    .resources("AWS::IAM::Role")
    .filter(({ id }) => JSON.stringify(stacks.api()).includes(`"credentials":${buildArn(id)}`));
  expect(roles).toHaveLength(1);
  expect(roles[0]?.Properties.AssumeRolePolicyDocument).toMatchObject({
    Statement: [{ Principal: { Service: "apigateway.amazonaws.com" } }],
  });
  const integrations = JSON.stringify(stacks.api()).split('"x-amazon-apigateway-integration"');
  for (const integration of integrations.slice(1))
    expect(integration).toContain(buildArn(roles[0]?.id ?? ""));
  const policies = stacks.resources("AWS::IAM::ManagedPolicy");
  expect(roles[0]?.Properties.ManagedPolicyArns).toEqual(policies.map(({ id }) => ({ Ref: id })));
  const statements = policies.flatMap(parseManagedStatements);
  expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(
    new Set(["lambda:InvokeFunction"]),
  );
  const invoked = statements.flatMap(({ Resource }) =>
    Resource.map((resource) => JSON.stringify(resource)),
  );
  const arns = product.http.map(({ name }) => ({
    "Fn::Join": ["", [...lambdaArnParts, `:function:Wharf-${name}`]],
  }));
  expect(invoked.sort()).toEqual(arns.map((arn) => JSON.stringify(arn)).sort());
});

test("permissions on functions exist only for the rules of jobs, for their own functions", () => {
  const permissions = stacks
    .resources("AWS::Lambda::Permission")
    .map(({ Properties }) => Properties);
  expect(permissions).toHaveLength(product.schedules.length);
  for (const { Action, Principal, SourceArn } of permissions) {
    expect(Action).toBe("lambda:InvokeFunction");
    expect(Principal).toBe("events.amazonaws.com");
    expect(JSON.stringify(SourceArn)).toMatch(/"Fn::GetAtt":\["\w+Clock/);
  }
});

const buildArn = (id: string): string => JSON.stringify({ "Fn::GetAtt": [id, "Arn"] });

const lambdaArnParts = [
  "arn:",
  { Ref: "AWS::Partition" },
  ":lambda:",
  { Ref: "AWS::Region" },
  ":",
  { Ref: "AWS::AccountId" },
];
