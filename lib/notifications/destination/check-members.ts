import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import type { EventDestinationItem } from "./items.ts";

type Type = EventDestinationItem["type"];

/** Members of a request body that one type of destination has. */
const members = {
  webhook: ["url", "eventTypes", "rotateSecret"],
  otlp: ["endpoint", "headers", "content"],
} as const satisfies Record<Type, readonly string[]>;

/** Throws 400 for members of another type of destination, and for required ones that are missing. */
export const checkMembers = (
  type: Type,
  body: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): void => {
  const isGiven = (name: string) => body[name] !== undefined && body[name] !== null;
  const others = type === "otlp" ? members.webhook : members.otlp;
  const errors: ValidationIssue[] = [
    ...required
      .filter((name) => !isGiven(name))
      .map((name) => ({ pointer: `/${name}`, detail: `is required for the type ${type}` })),
    ...others
      .filter(isGiven)
      .map((name) => ({ pointer: `/${name}`, detail: `is not a member of the type ${type}` })),
  ];
  if (errors.length > 0) throw validationFailed(errors);
};

/** Required members of the request body that creates a destination. */
export const requiredMembers = {
  webhook: ["url", "eventTypes"],
  otlp: ["endpoint"],
} as const satisfies Record<Type, readonly string[]>;
