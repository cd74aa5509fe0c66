import type { CreateGuardrailBody, GuardrailCheck } from "../../../client/openapi.ts";
import { itemsIn, type Members, textIn, textsIn } from "../flow-graph/members.ts";
import { findCheckType } from "./check-types.ts";

/** The values of a guardrail's form. Checks are as the API has them, so that members without a field are kept. */
export type GuardrailForm = { id: string; displayName: string; checks: readonly Members[] };

/** Returns another check for a list of checks. */
export const newCheck = (checks: readonly Members[]): Members => {
  const taken = checks.map(({ id }) => id);
  let number = checks.length + 1;
  while (taken.includes(`check-${number}`)) number += 1;
  return { id: `check-${number}`, type: "Pii", on: ["output"], action: "mask" };
};

/** The form of a new guardrail. */
export const emptyGuardrailForm: GuardrailForm = {
  id: "",
  displayName: "",
  checks: [newCheck([])],
};

/** Pointers that the form's fields show. */
export const guardrailPointers = ["/id", "/displayName", "/checks"] as const;

/** Converts a guardrail or a revision of it to the values of the form. */
export const toGuardrailForm = (
  id: string,
  { displayName, checks }: Pick<CreateGuardrailBody, "displayName" | "checks">,
): GuardrailForm => ({ id, displayName, checks: checks.map((check) => ({ ...check })) });

const isCheck = (check: Members): check is GuardrailCheck => check !== null;

/** Converts the values of the form to a request's body. */
export const toGuardrailBody = ({
  id,
  displayName,
  checks,
}: GuardrailForm): CreateGuardrailBody => ({
  id: id === "" ? null : id,
  displayName,
  checks: checks.filter(isCheck),
});

const membersOfAll = ["id", "type", "on", "action", "onError"] as const;

/** Gives a check another type: it keeps the members that all checks have. */
export const withCheckType = (check: Members, type: string): Members => {
  const row = findCheckType(type);
  const kept = Object.fromEntries(
    membersOfAll.filter((name) => name in check).map((name) => [name, check[name]]),
  );
  const isAllowed = row?.actions.some((action) => action === check.action) === true;
  return { ...kept, ...(!isAllowed && { action: "block" }), ...row?.template, type };
};

/** Moves an item of a list to the place before it. */
export const moveUp = <Item>(items: readonly Item[], index: number): Item[] => {
  const next = [...items];
  next.splice(index - 1, 0, ...next.splice(index, 1));
  return next;
};

/** Describes what a check looks for, in one line. */
export const describeCheck = (check: Members): string => {
  const others = Object.entries(check).filter(
    ([name, value]) => !membersOfAll.some((member) => member === name) && value !== null,
  );
  return others.map(([, value]) => describeValue(value)).join(", ");
};

const describeValue = (value: unknown): string => {
  const texts = textsIn(value);
  if (texts.length > 0 && texts.length === itemsIn(value).length) return texts.join(", ");
  return textIn(value) || JSON.stringify(value);
};
