import * as z from "zod";
// Of the namespaces `z.core` and `z.util`, a bundle would have all members, and the texts of all languages.
import { $constructor, safeParse, util } from "zod/v4/core";
import { isRecord, setMember } from "./json.ts";

type LimitedDef = z.core.$ZodRecordDef & { most: number };

const Base: z.core.$constructor<z.ZodRecord> = z.ZodRecord;

const LimitedRecord = $constructor<z.ZodRecord, LimitedDef>("LimitedRecord", (inst, def) => {
  Base.init(inst, def);
  const { parse } = inst._zod;
  inst._zod.parse = (payload, context) => {
    const { value: input } = payload;
    if (!isRecord(input)) return parse(payload, context);
    if (Object.keys(input).length <= def.most) {
      return keepProto(parse(payload, context), input, def, context);
    }
    const size = { origin: "record", maximum: def.most, inclusive: true };
    payload.issues.push({ code: "too_big", ...size, input, inst });
    return payload;
  };
});

type Parse = z.core.$ZodType["_zod"]["parse"];
type Payload = Parameters<Parse>[0];

/** Parses a member named `__proto__` as any other; zod drops it from records. */
const keepProto = (
  parsed: ReturnType<Parse>,
  input: Readonly<Record<string, unknown>>,
  { keyType, valueType }: LimitedDef,
  context: Parameters<Parse>[1],
): ReturnType<Parse> => {
  const name = "__proto__";
  const isName = Object.hasOwn(input, name) && safeParse(keyType, name).success;
  if (!isName || parsed instanceof Promise) return parsed;
  const member: Payload | Promise<Payload> = valueType._zod.run(
    { value: input[name], issues: [] },
    context,
  );
  if (member instanceof Promise || !isRecord(parsed.value)) return parsed;
  parsed.issues.push(...util.prefixIssues(name, member.issues));
  const members = { ...parsed.value };
  setMember(members, name, member.value);
  parsed.value = members;
  return parsed;
};

/** Creates the schema of a record that accepts any member name, `__proto__` included. */
export function anyNames<Value extends z.ZodType>(value: Value): z.ZodRecord<z.ZodString, Value>;
export function anyNames(valueType: z.ZodType): z.ZodRecord {
  const most = Number.POSITIVE_INFINITY;
  return new LimitedRecord({ type: "record", keyType: z.string(), valueType, most });
}

/**
 * Creates the schema of a record with at most `most` members. Zod counts the members of a record after it has validated
 * them; this one counts them first, so that a request with very many wrong ones costs no processor time.
 */
export function limitedRecord<Value extends z.ZodType>(
  name: z.ZodString,
  value: Value,
  most: number,
): z.ZodRecord<z.ZodString, Value>;
export function limitedRecord(name: z.ZodString, value: z.ZodType, most: number): z.ZodRecord {
  const record = new LimitedRecord({ type: "record", keyType: name, valueType: value, most });
  return record.meta({ maxProperties: most });
}
