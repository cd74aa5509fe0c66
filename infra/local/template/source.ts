import type * as z from "zod";
import type { Assembly, TemplateResource } from "./assembly.ts";
import type { Json } from "./json.ts";
import type { Identity } from "./physical.ts";
import type { Resolver } from "./resolve.ts";
import { fault, type TemplateError } from "./template-error.ts";

/** The templates of an assembly and the resolver of their intrinsics. */
export type Source = { assembly: Assembly; resolver: Resolver };

/** A resource of a template. Its errors name the stack and the path of the property. */
export type SourceResource = Identity & {
  arn: string;
  /** The resource as written, intrinsics unresolved. */
  template: TemplateResource;
  /** Returns a property with its intrinsics resolved; null when it is absent. */
  property: (name: string) => Json;
  /** Resolves and parses the properties that the schema names. */
  read: <Schema extends z.ZodObject>(schema: Schema) => z.output<Schema>;
  /** Parses a resolved value at a path below the properties. */
  parse: <Schema extends z.ZodType>(
    schema: Schema,
    value: unknown,
    path: string,
  ) => z.output<Schema>;
  /** Creates the error for a path below the properties. */
  fault: (path: string, message: string) => TemplateError;
};

/** Returns the resources of the given types in all stacks. */
export const findResources = (source: Source, ...types: string[]): SourceResource[] =>
  source.assembly.stacks.flatMap((stack) =>
    Object.entries(stack.Resources)
      .filter(([, { Type }]) => types.includes(Type))
      .map(([logicalId, template]) => openResource(source, stack, logicalId, template)),
  );

const openResource = (
  { resolver }: Source,
  stack: Assembly["stacks"][number],
  logicalId: string,
  template: TemplateResource,
): SourceResource => {
  const root = `${logicalId}.Properties`;
  const identity = resolver.identity(stack, logicalId, root);
  const parse: SourceResource["parse"] = (schema, value, path) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const place = [root, path, ...(issue?.path ?? [])].filter((part) => part !== "").join(".");
    throw fault(stack, place, issue?.message ?? "invalid value");
  };
  const property: SourceResource["property"] = (name) =>
    resolver.resolve(stack, template.Properties[name] ?? null, `${root}.${name}`);
  return {
    ...identity,
    arn: identity.attributes.Arn ?? "",
    template,
    property,
    read: (schema) => {
      const names = Object.keys(schema.shape).filter((name) => name in template.Properties);
      return parse(schema, Object.fromEntries(names.map((name) => [name, property(name)])), "");
    },
    parse,
    fault: (path, message) => fault(stack, `${root}.${path}`, message),
  };
};
