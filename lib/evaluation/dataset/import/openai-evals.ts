import { isRecord } from "../../../values/json/json.ts";
import {
  expectedName,
  type ImportNames,
  type ImportRecord,
  type ReadRecord,
  toExample,
  toInput,
  without,
} from "./imported.ts";

/** Returns whether a record is one of OpenAI's hosted evals (`item`) or of the library `evals` (`input`, `ideal`). */
export const isOpenAiEval = ({ members }: ImportRecord): boolean =>
  isRecord(members.item) || ("input" in members && ("ideal" in members || isChat(members.input)));

/** Reads a record of OpenAI Evals. */
export const readOpenAiEval = ({ members }: ImportRecord, names: ImportNames): ReadRecord =>
  isRecord(members.item) ? readHosted(members.item, members, names) : readSample(members, names);

/** `item`: the data of a case; `sample`: an earlier output of a model. */
const readHosted = (
  item: ImportRecord["members"],
  members: ImportRecord["members"],
  names: ImportNames,
): ReadRecord => {
  const expected = expectedName(Object.keys(item), names);
  const rest = without(item, [expected]);
  return toExample({
    input: isRecord(rest.input) && Object.keys(rest).length === 1 ? rest.input : rest,
    expected: expected === undefined ? undefined : item[expected],
    metadata: without(members, ["item"]),
  });
};

/** `input`: messages of a chat, or a text; `ideal`: the response, or several correct ones. */
const readSample = (members: ImportRecord["members"], names: ImportNames): ReadRecord => {
  const { input } = members;
  if (input === undefined || input === null) return { detail: "has no `input`" };
  const expected = expectedName(Object.keys(members), names);
  return toExample({
    input: toInput(input, { input: isChat(input) ? (names.input ?? "messages") : names.input }),
    expected: expected === undefined ? undefined : members[expected],
    metadata: without(members, ["input", expected]),
  });
};

const isChat = (input: unknown): boolean =>
  Array.isArray(input) &&
  input.length > 0 &&
  input.every((message) => isRecord(message) && "role" in message);
