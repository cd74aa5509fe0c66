import * as z from "zod";
import { didYouMean } from "./nearest-name.ts";

/** A member that a schema does not have. */
export type UnknownMember = {
  readonly path: readonly (string | number)[];
  readonly detail: string;
};

const closed = new WeakSet<z.core.$ZodType>();

/** Marks a schema: requests may have no unknown members in its value, at any depth. Stored values may. */
export const refuseUnknown = <Schema extends z.ZodType>(schema: Schema): Schema => {
  closed.add(schema);
  return schema;
};

/** Finds the members of a value that a schema marked by `refuseUnknown` does not have. */
export const findUnknownMembers = (
  schema: z.core.$ZodType,
  value: unknown,
  isClosed = false,
): UnknownMember[] => {
  const refuses = isClosed || closed.has(schema);
  const inner = innerOf(schema);
  if (inner) return findUnknownMembers(inner, value, refuses);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, at) =>
      below(at, findUnknownMembers(schema.def.element, item, refuses)),
    );
  }
  if (schema instanceof z.ZodUnion) return findInUnion(schema.def.options, value, refuses);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  if (schema instanceof z.ZodRecord) {
    return Object.entries(value).flatMap(([name, member]) =>
      below(name, findUnknownMembers(schema.def.valueType, member, refuses)),
    );
  }
  return schema instanceof z.ZodObject ? findInObject(schema, value, refuses) : [];
};

const innerOf = (schema: z.core.$ZodType): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodPipe) {
    return schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in;
  }
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
    ? schema.def.innerType
    : undefined;
};

/** The option with the fewest unknown members is the one that was meant. */
const findInUnion = (
  options: readonly z.core.$ZodType[],
  value: unknown,
  refuses: boolean,
): UnknownMember[] => {
  const objects = options.filter((option) => option instanceof z.ZodObject);
  const found = objects.map((option) => findUnknownMembers(option, value, refuses));
  return found.sort((one, other) => one.length - other.length)[0] ?? [];
};

const findInObject = (schema: z.ZodObject, value: object, refuses: boolean): UnknownMember[] => {
  const known = Object.keys(schema.shape);
  const takesOthers = schema.def.catchall !== undefined;
  return Object.entries(value).flatMap(([name, member]): UnknownMember[] => {
    const own = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (own) return below(name, findUnknownMembers(own, member, refuses));
    if (!refuses || takesOthers) return [];
    return [{ path: [name], detail: didYouMean("is not known here", name, known) }];
  });
};

const below = (at: string | number, members: readonly UnknownMember[]): UnknownMember[] =>
  members.map(({ path, detail }) => ({ path: [at, ...path], detail }));
