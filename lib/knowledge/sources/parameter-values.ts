import * as z from "zod";
import { limitedRecord } from "../../values/json/limited-record.ts";

/** Schema of the values of a source type's parameters, by name; each source type validates its own. */
export const parameterValues = limitedRecord(
  z.string(),
  z.unknown().meta({ override: { type: "string" } }),
  100,
);
