import * as z from "zod";
import { didYouMean, nearestName } from "../platform/http/nearest-name.ts";
import type { ValidationIssue } from "../platform/http/problems.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { findUnknownMembers } from "../platform/http/unknown-members.ts";
import { toIssuePointer } from "../platform/http/zod-error-map.ts";
import type { Row } from "./route.ts";

/** Most unknown members at the top that are compared with the known ones. */
const maxIgnored = 1_000;

/** Members of a body that its schema does not have: those that are refused, and the names of those at the top. */
export type BodyMembers = { wrong: ValidationIssue[]; ignored: string[] };

/**
 * Finds the members of a body that its schema does not have. At the top they are ignored, because a client may send
 * back what it received; but a member that no response has, and that misspells a known one that is missing, is wrong.
 */
export const checkBodyMembers = (
  { body, response }: Pick<Row, "body" | "response">,
  sent: unknown,
): BodyMembers => {
  if (!body || body === RawBody || typeof sent !== "object" || sent === null)
    return { wrong: [], ignored: [] };
  const wrong = findUnknownMembers(body, sent).map(({ path, detail }) => ({
    pointer: toIssuePointer(path),
    detail,
  }));
  const known = listSchemaKeys(body);
  if (!known) return { wrong, ignored: [] };
  const unknown = Object.keys(sent).filter((name) => !known.includes(name));
  const ignored = unknown.slice(0, maxIgnored);
  const shown = response.schema ? (listSchemaKeys(response.schema) ?? []) : [];
  const missing = known.filter((name) => !Object.hasOwn(sent, name));
  const misspelled = ignored
    .filter((name) => !shown.includes(name) && nearestName(name, missing) !== undefined)
    .map((name) => ({
      pointer: toIssuePointer([name]),
      detail: didYouMean("is not a member of this body", name, missing),
    }));
  return { wrong: [...wrong, ...misspelled], ignored };
};

/** Returns the names of an object schema's members; undefined for any other schema. */
const listSchemaKeys = (schema: z.core.$ZodType): string[] | undefined => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? listSchemaKeys(schema.def.innerType)
    : undefined;
};
