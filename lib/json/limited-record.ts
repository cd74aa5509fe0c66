import * as z from "zod";
import { isRecord } from "./json.ts";

type LimitedDef = z.core.$ZodRecordDef & { most: number };

const Base: z.core.$constructor<z.ZodRecord> = z.ZodRecord;

const LimitedRecord = z.core.$constructor<z.ZodRecord, LimitedDef>("LimitedRecord", (inst, def) => {
  Base.init(inst, def);
  const { parse } = inst._zod;
  inst._zod.parse = (payload, context) => {
    const { value: input } = payload;
    if (!isRecord(input) || Object.keys(input).length <= def.most) return parse(payload, context);
    const size = { origin: "record", maximum: def.most, inclusive: true };
    payload.issues.push({ code: "too_big", ...size, input, inst });
    return payload;
  };
});

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
