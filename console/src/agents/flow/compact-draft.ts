import { isRecord } from "../../flow-graph/members.ts";

type Content = Readonly<Record<string, unknown>>;

/**
 * Drops members with default values from a revision. Members of the flow stay, because their values
 * may be null.
 */
export const compactDraft = (content: Content): Content =>
  withoutEmpty(
    Object.fromEntries(
      Object.entries(content).map(([name, value]) => [
        name,
        Array.isArray(value)
          ? value.map((item) => (isRecord(item) ? withoutEmpty(item) : item))
          : value,
      ]),
    ),
  );

const withoutEmpty = (record: Content): Content =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));

const isEmpty = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);
