import * as z from "zod";
import { isJsonObject, type Json } from "./json.ts";
import { findResources, type Source } from "./model.ts";
import { parse } from "./storage.ts";
import { TemplateError } from "./template-error.ts";

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
  /^(dynamodb:LeadingKeys|kms:EncryptionContext:.+|iam:PassedToService|bedrock:InferenceProfileArn|aws:SecureTransport)$/;

/** One statement of a role's policies. */
export type PolicyStatement = {
  allow: boolean;
  actions: string[];
  resources: string[];
  conditions: PolicyCondition[];
};

/** One condition: all must hold. */
export type PolicyCondition = { operator: string; key: string; values: string[] };

/** The statements of every role, by the role's ARN. Managed policies of AWS are for logs and traces: left out. */
export const readPolicies = (source: Source): ReadonlyMap<string, PolicyStatement[]> => {
  const byRole = new Map<string, PolicyStatement[]>();
  const arnByName = new Map<string, string>();
  for (const { stack, logicalId, resource, place } of findResources(source, "AWS::IAM::Role")) {
    const { ref, attributes } = source.resolver.identity(stack, logicalId, place);
    const arn = attributes.Arn ?? "";
    arnByName.set(ref, arn);
    const inline = resource.Properties.Policies;
    const policies = Array.isArray(inline) ? inline : [];
    byRole.set(
      arn,
      policies.flatMap((policy, index) => {
        const at = `${place}.Policies[${index}].PolicyDocument`;
        const document = isJsonObject(policy) ? (policy.PolicyDocument ?? null) : null;
        return readDocument(source.resolver.resolve(stack, document, at), stack.name, at);
      }),
    );
  }
  for (const { stack, resource, place } of findResources(
    source,
    "AWS::IAM::Policy",
    "AWS::IAM::ManagedPolicy",
  )) {
    const roles = source.resolver.resolve(stack, resource.Properties.Roles ?? [], `${place}.Roles`);
    const names = (Array.isArray(roles) ? roles : [])
      .map(String)
      .filter((name) => arnByName.has(name));
    if (names.length === 0) continue;
    const at = `${place}.PolicyDocument`;
    const document = source.resolver.resolve(stack, resource.Properties.PolicyDocument ?? null, at);
    const statements = readDocument(document, stack.name, at);
    for (const name of names) byRole.get(arnByName.get(name) ?? "")?.push(...statements);
  }
  return byRole;
};

const readDocument = (document: Json, stackName: string, place: string): PolicyStatement[] =>
  parse(Document, document, stackName, place).Statement.map((statement, index) => ({
    allow: statement.Effect === "Allow",
    actions: statement.Action,
    resources: statement.Resource,
    conditions: Object.entries(statement.Condition ?? {}).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, values]) => {
        if (!supportedConditions.test(operator) || !supportedKeys.test(key)) {
          throw new TemplateError(
            `template ${stackName}, ${place}.Statement[${index}]: the condition ${operator} on ${key} is not known here`,
          );
        }
        return { operator, key, values };
      }),
    ),
  }));
