import type { Assembly, Stack } from "./assembly.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { Identity } from "./physical.ts";
import { createReferences, type References, type Resolve, text } from "./references.ts";
import { fault } from "./template-error.ts";

/** Resolves intrinsics across the stacks of an assembly. */
export type Resolver = {
  resolve: Resolve;
  identity: (stack: Stack, logicalId: string, place: string) => Identity;
};

/**
 * Creates the resolver; queue URLs begin with `queueEndpoint`.
 * An unsupported intrinsic throws a TemplateError that names the stack and the place.
 */
export const createResolver = (assembly: Assembly, queueEndpoint: string): Resolver => {
  const resolve: Resolve = (stack, value, place) => {
    if (Array.isArray(value)) {
      return value.map((item, index) => resolve(stack, item, `${place}[${index}]`));
    }
    if (!isJsonObject(value)) return value;
    const name = findIntrinsic(value);
    if (name !== undefined) {
      return resolveIntrinsic(
        { stack, place, references, resolve: (inner) => resolve(stack, inner, place) },
        name,
        value[name] ?? null,
      );
    }
    const resolved: JsonObject = {};
    for (const [member, inner] of Object.entries(value)) {
      if (!isNoValue(inner)) resolved[member] = resolve(stack, inner, `${place}.${member}`);
    }
    return resolved;
  };
  const references = createReferences(assembly, queueEndpoint, resolve);
  return { resolve, identity: references.identity };
};

/** `Condition` is an intrinsic when it holds a string; in a policy statement it holds an object. */
const findIntrinsic = (value: JsonObject): string | undefined => {
  const [only, ...others] = Object.keys(value);
  if (only === undefined || others.length > 0) return undefined;
  if (only === "Ref" || only.startsWith("Fn::")) return only;
  return only === "Condition" && typeof value[only] === "string" ? only : undefined;
};

const isNoValue = (value: Json): boolean => isJsonObject(value) && value.Ref === "AWS::NoValue";

type Context = {
  stack: Stack;
  place: string;
  references: References;
  resolve: (value: Json) => Json;
};

const resolveIntrinsic = (context: Context, name: string, argument: Json): Json => {
  const { stack, place, references, resolve } = context;
  const list = (): Json[] => {
    if (Array.isArray(argument)) return argument;
    throw fault(stack, place, `${name} requires a list`);
  };
  const one = (value: Json | undefined): string => text(stack, resolve(value ?? null), place);
  const many = (value: Json | undefined): Json[] => {
    const resolved = resolve(value ?? null);
    if (Array.isArray(resolved)) return resolved;
    throw fault(stack, place, `${name} requires a list`);
  };
  switch (name) {
    case "Ref":
      return references.reference(stack, one(argument), place);
    case "Fn::GetAtt": {
      const [id = "", ...rest] =
        typeof argument === "string" ? argument.split(".") : list().map(one);
      return references.attribute(stack, id, rest.join("."), place);
    }
    case "Fn::Sub":
      return substitute(context, argument);
    case "Fn::Join": {
      const [separator, values] = list();
      return many(values)
        .map((value) => text(stack, value, place))
        .join(one(separator));
    }
    case "Fn::Select": {
      const [index, values] = list();
      const chosen = many(values)[Number(one(index))];
      if (chosen === undefined) throw fault(stack, place, "Fn::Select index is out of range");
      return chosen;
    }
    case "Fn::Split": {
      const [separator, value] = list();
      return one(value).split(one(separator));
    }
    case "Fn::ImportValue":
      return references.imported(stack, one(argument), place);
    case "Fn::GetStackOutput": {
      const { StackName, OutputName } = isJsonObject(argument) ? argument : {};
      return references.output(stack, one(StackName), one(OutputName), place);
    }
    default:
      throw fault(stack, place, `the intrinsic ${name} is not supported`);
  }
};

const substitute = ({ stack, place, references, resolve }: Context, argument: Json): string => {
  const [template, own] = Array.isArray(argument) ? argument : [argument];
  const variables = isJsonObject(own) ? own : {};
  return text(stack, template ?? null, place).replaceAll(
    /\$\{(!?)([^${}]+)\}/g,
    (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      const variable = variables[name];
      if (variable !== undefined) return text(stack, resolve(variable), place);
      const dot = name.indexOf(".");
      return dot === -1
        ? references.reference(stack, name, place)
        : references.attribute(stack, name.slice(0, dot), name.slice(dot + 1), place);
    },
  );
};
