import * as z from "zod";
import { isJsonObject, type Json } from "./json.ts";
import { findResources, type Source, type SourceResource } from "./source.ts";

const oneOrMore = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === "string" ? [value] : value));

const Statement = z.object({
  Effect: z.enum(["Allow", "Deny"]),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.record(z.string(), z.record(z.string(), oneOrMore)).optional(),
});

const Document = z.object({
  Statement: z.union([Statement, z.array(Statement)]).transform((value) => [value].flat()),
});

const supportedConditions = /^(ForAllValues:|ForAnyValue:)?String(Equals|Like)$/;
const supportedKeys =
  /^(dynamodb:LeadingKeys|kms:EncryptionContext:.+|iam:PassedToService|ses:FromAddress|bedrock:InferenceProfileArn|aws:SecureTransport)$/;

/** One statement of a role's policies. */
export type PolicyStatement = {
  allow: boolean;
  actions: string[];
  resources: string[];
  /** A statement applies when all of its conditions hold. */
  conditions: PolicyCondition[];
};

/** A condition on one key. */
export type PolicyCondition = { operator: string; key: string; values: string[] };

/** Reads the policy statements of every role, by role ARN. AWS managed policies (logs, traces) are ignored. */
export const readPolicies = (source: Source): ReadonlyMap<string, PolicyStatement[]> => {
  const roles = findResources(source, "AWS::IAM::Role");
  const byArn = new Map(roles.map((role) => [role.arn, inlineStatements(role)]));
  for (const policy of findResources(source, "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy")) {
    const names = readStringList(policy, "Roles");
    const attached = roles.filter(
      (role) =>
        names.includes(role.ref) || readStringList(role, "ManagedPolicyArns").includes(policy.ref),
    );
    if (attached.length === 0) continue;
    const own = readDocument(policy, policy.property("PolicyDocument"), "PolicyDocument");
    for (const role of attached) byArn.get(role.arn)?.push(...own);
  }
  return byArn;
};

const TrustPolicy = z.object({
  Statement: z.array(z.object({ Principal: z.object({ Service: z.unknown() }) })),
});

/** Returns the roles that a service, such as `scheduler.amazonaws.com`, may assume. */
export const rolesTrusting = (source: Source, service: string): SourceResource[] =>
  findResources(source, "AWS::IAM::Role").filter(({ template }) =>
    TrustPolicy.safeParse(template.Properties.AssumeRolePolicyDocument).data?.Statement.some(
      ({ Principal }) => Principal.Service === service,
    ),
  );

const readStringList = (resource: SourceResource, property: string): string[] => {
  const values = resource.property(property);
  return Array.isArray(values) ? values.map(String) : [];
};

const inlineStatements = (role: SourceResource): PolicyStatement[] => {
  const policies = role.property("Policies");
  return (Array.isArray(policies) ? policies : []).flatMap((policy, index) => {
    const document = isJsonObject(policy) ? policy.PolicyDocument : undefined;
    return readDocument(role, document, `Policies[${index}].PolicyDocument`);
  });
};

const readDocument = (
  resource: SourceResource,
  document: Json | undefined,
  path: string,
): PolicyStatement[] =>
  resource.parse(Document, document, path).Statement.map((statement, index) => ({
    allow: statement.Effect === "Allow",
    actions: statement.Action,
    resources: statement.Resource,
    conditions: Object.entries(statement.Condition ?? {}).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, values]) => {
        if (!supportedConditions.test(operator) || !supportedKeys.test(key)) {
          throw resource.fault(
            `${path}.Statement[${index}]`,
            `the local stack does not support the condition ${operator} on ${key}`,
          );
        }
        return { operator, key, values };
      }),
    ),
  }));
