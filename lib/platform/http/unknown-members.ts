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

/** Most unknown members that are found: as many as a response lists. */
const maxFound = 50;

/** Finds the members of a value that a schema marked by `refuseUnknown` does not have, the first 50. */
export const findUnknownMembers = (
  schema: z.core.$ZodType,
  value: unknown,
  isClosed = false,
): UnknownMember[] => unknownMembers(schema, value, isClosed).take(maxFound).toArray();

function* unknownMembers(
  schema: z.core.$ZodType,
  value: unknown,
  isClosed: boolean,
): Generator<UnknownMember> {
  const refuses = isClosed || closed.has(schema);
  const inner = unwrapSchema(schema);
  if (inner) return yield* unknownMembers(inner, value, refuses);
  if (schema instanceof z.ZodUnion) return yield* inUnion(schema.def.options, value, refuses);
  if (typeof value !== "object" || value === null) return;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield* below(at, unknownMembers(schema.def.element, item, refuses));
    }
  }
  if (Array.isArray(value)) return;
  if (schema instanceof z.ZodObject) yield* inObject(schema, value, refuses);
  if (!(schema instanceof z.ZodRecord)) return;
  for (const [name, member] of Object.entries(value)) {
    yield* below(name, unknownMembers(schema.def.valueType, member, refuses));
  }
}

const unwrapSchema = (schema: z.core.$ZodType): z.core.$ZodType | undefined => {
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
const inUnion = (
  options: readonly z.core.$ZodType[],
  value: unknown,
  refuses: boolean,
): UnknownMember[] => {
  const objects = options.filter((option) => option instanceof z.ZodObject);
  const found = objects.map((option) => findUnknownMembers(option, value, refuses));
  return found.sort((one, other) => one.length - other.length)[0] ?? [];
};

function* inObject(schema: z.ZodObject, value: object, refuses: boolean): Generator<UnknownMember> {
  const known = Object.keys(schema.shape);
  const takesOthers = schema.def.catchall !== undefined;
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (own) yield* below(name, unknownMembers(own, member, refuses));
    else if (refuses && !takesOthers) {
      yield { path: [name], detail: didYouMean("is not known here", name, known) };
    }
  }
}

function* below(at: string | number, members: Iterable<UnknownMember>): Generator<UnknownMember> {
  for (const { path, detail } of members) yield { path: [at, ...path], detail };
}
