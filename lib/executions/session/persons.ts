import { createHash } from "node:crypto";
import * as z from "zod";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";

/** Returns the name of an end user, unlike that of a chat user. */
export const nameEndUser = (endUserId: string): string => `user:${endUserId}`;

const markLength = 24;

/** Returns the mark of a person by their name: stored with what is theirs, and after a deletion in place of the name. */
export const toPersonMark = (name: string): string =>
  createHash("sha256").update(name).digest("hex").slice(0, markLength);

/** Returns the marks of the person of an execution: as an end user, and as a chat user. Empty without a person. */
export const listPersons = ({
  endUserId,
  chatUser,
}: {
  endUserId?: string | undefined;
  chatUser?: string | undefined;
}): string[] =>
  [endUserId === undefined ? [] : nameEndUser(endUserId), chatUser ?? []].flat().map(toPersonMark);

/** The deletion of a person: their executions that began until `at` (Unix milliseconds) leave nothing. */
export const Erasure = z.object({ person: z.string(), at: z.int() });
export type Erasure = z.output<typeof Erasure>;

/** Returns whether one of the deletions is of a person of an execution, and after its begin. */
export const isErased = (
  erased: readonly Erasure[],
  { persons, executionId }: { persons: readonly string[]; executionId: string },
): boolean =>
  erased.some(({ person, at }) => persons.includes(person) && parseUuidTime(executionId) <= at);
