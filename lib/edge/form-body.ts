import * as z from "zod";
import { malformedForm } from "../platform/http/problems.ts";
import { limitedRecord } from "../values/json/limited-record.ts";
import { parseForm } from "../vendors/shared/webhook/parse-form.ts";
import { decodeUtf8 } from "./read-json.ts";

/** Most members of a form, and characters of one. */
const most = { members: 100, characters: 32_768 } as const;

/** Body of a row that takes an HTML form of up to 64 KB: its members by name. */
export const FormBody = limitedRecord(
  z.string(),
  z.string().max(most.characters),
  most.members,
).meta({ example: { action: "approve", comment: "Go ahead." } });

/** Media type of HTML forms. */
export const formType = "application/x-www-form-urlencoded";

const form = /^application\/x-www-form-urlencoded *(?:;.*)?$/i;

/** Returns whether a content type is that of HTML forms. */
export const isForm = (contentType: string): boolean => form.test(contentType);

/** Reads the members of a form; of several with one name the last. Throws 400. */
export const readForm = (bytes: Uint8Array): Record<string, string> => {
  const members = parseForm(decodeUtf8(bytes), most.members);
  if (!members) throw malformedForm(most.members);
  return Object.fromEntries(members);
};
