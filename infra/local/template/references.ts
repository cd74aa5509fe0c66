import type { Assembly, Stack } from "./assembly.ts";
import type { Json } from "./json.ts";
import {
  deriveIdentity,
  type Identity,
  localAccount,
  localRegion,
  nameProperty,
} from "./physical.ts";
import { fault } from "./template-error.ts";

/** Resolves the intrinsics in a value of a stack; `place` is its path for error messages. */
export type Resolve = (stack: Stack, value: Json, place: string) => Json;

/** Looks up the values that intrinsics refer to. */
export type References = {
  identity: (stack: Stack, logicalId: string, place: string) => Identity;
  /** `Ref`: a pseudo parameter, a parameter's default, or a resource. */
  reference: (stack: Stack, name: string, place: string) => string;
  /** `Fn::GetAtt`. */
  attribute: (stack: Stack, logicalId: string, name: string, place: string) => string;
  /** `Fn::ImportValue`. */
  imported: (stack: Stack, name: string, place: string) => Json;
  /** `Fn::GetStackOutput`. */
  output: (stack: Stack, stackName: string, outputName: string, place: string) => Json;
};

const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::Region": localRegion,
  "AWS::AccountId": localAccount,
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
};

/** Creates the lookup over all stacks; `resolve` resolves the values found. */
export const createReferences = (
  assembly: Assembly,
  queueEndpoint: string,
  resolve: Resolve,
): References => {
  const identities = new Map<string, Identity>();
  const exported = new Map<string, Json>();

  const identity: References["identity"] = (stack, logicalId, place) => {
    const key = `${stack.name}/${logicalId}`;
    const known = identities.get(key);
    if (known) return known;
    const resource = stack.Resources[logicalId];
    if (!resource) throw fault(stack, place, `no resource "${logicalId}"`);
    const given = resource.Properties[nameProperty[resource.Type] ?? ""];
    const name = given === undefined ? undefined : text(stack, resolve(stack, given, place), place);
    const created = deriveIdentity({ stack: stack.name, logicalId, name, resource, queueEndpoint });
    identities.set(key, created);
    return created;
  };

  return {
    identity,
    reference: (stack, name, place) => {
      const pseudo = pseudoParameters[name];
      if (pseudo !== undefined) return pseudo;
      if (name === "AWS::StackName") return stack.name;
      if (name === "AWS::StackId") {
        return `arn:aws:cloudformation:${localRegion}:${localAccount}:stack/${stack.name}/local`;
      }
      const fallback = stack.Parameters[name]?.Default;
      if (fallback !== undefined) return text(stack, fallback, place);
      return identity(stack, name, place).ref;
    },
    attribute: (stack, logicalId, name, place) => {
      const value = identity(stack, logicalId, place).attributes[name];
      if (value !== undefined) return value;
      const type = stack.Resources[logicalId]?.Type;
      throw fault(stack, place, `attribute "${name}" of ${type} "${logicalId}" is not supported`);
    },
    imported: (stack, name, place) => {
      const known = exported.get(name);
      if (known !== undefined) return known;
      for (const other of assembly.stacks) {
        for (const [id, { Export, Value }] of Object.entries(other.Outputs)) {
          if (Export && resolve(other, Export.Name, `Outputs.${id}`) === name) {
            const value = resolve(other, Value, `Outputs.${id}`);
            exported.set(name, value);
            return value;
          }
        }
      }
      throw fault(stack, place, `no stack exports "${name}"`);
    },
    output: (stack, stackName, outputName, place) => {
      const other = assembly.stacks.find((stack) => stack.name === stackName);
      const found = other?.Outputs[outputName];
      if (!other || !found)
        throw fault(stack, place, `no output "${outputName}" in stack "${stackName}"`);
      return resolve(other, found.Value, place);
    },
  };
};

/** Returns a scalar as a string. Throws a TemplateError for any other value. */
export const text = (stack: Stack, value: Json, place: string): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw fault(stack, place, "a string is required");
};
