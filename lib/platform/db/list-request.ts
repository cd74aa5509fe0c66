import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Key, ListKey } from "./keys.ts";

/** A list, its order, and optionally a range of sort keys, both ends inclusive. */
export type ListRequest = {
  list: ListKey;
  /** Other partitions of the same list, to be merged by sort key. Not for lists in the index. */
  others?: readonly ListKey[];
  newestFirst?: boolean;
  between?: { from: string; to: string };
  /**
   * Whether its items are in the listing index, where skipped ones are counted. Default: true. Otherwise they are
   * counted in the table, which reads them.
   */
  isIndexed?: boolean;
};

/** Builds the key condition and the order of a list's query, on the keys of the table or the index. */
export const keyCondition = (
  { list, between, newestFirst }: ListRequest,
  attribute: Key,
): Pick<
  QueryCommandInput,
  | "KeyConditionExpression"
  | "ExpressionAttributeNames"
  | "ExpressionAttributeValues"
  | "ScanIndexForward"
> => {
  const range = between
    ? { ":from": between.from, ":to": between.to }
    : list.prefix !== ""
      ? { ":prefix": list.prefix }
      : {};
  const condition = between
    ? " AND #sk BETWEEN :from AND :to"
    : list.prefix !== ""
      ? " AND begins_with(#sk, :prefix)"
      : "";
  return {
    KeyConditionExpression: `#pk = :pk${condition}`,
    ExpressionAttributeNames: {
      "#pk": attribute.pk,
      ...(condition !== "" && { "#sk": attribute.sk }),
    },
    ExpressionAttributeValues: { ":pk": list.pk, ...range },
    ScanIndexForward: !newestFirst,
  };
};
