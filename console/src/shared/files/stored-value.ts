import { isRecord } from "../../../../lib/values/json/json.ts";

/** A stored file, as inputs, outputs and traces of executions have it. */
export type StoredValue = { id: string; name: string; mediaType: string; bytes: number };

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const members = 4;

/** Returns whether a text is the id of a file. */
export const isFileId = (text: string): boolean => uuidForm.test(text);

/** Reads a stored file; undefined for any other value. */
export const readStored = (value: unknown): StoredValue | undefined => {
  if (!isRecord(value) || Object.keys(value).length !== members) return undefined;
  const { id, name, mediaType, bytes } = value;
  return typeof id === "string" &&
    isFileId(id) &&
    typeof name === "string" &&
    typeof mediaType === "string" &&
    typeof bytes === "number"
    ? { id, name, mediaType, bytes }
    : undefined;
};

/** Returns the stored files in a value, without repetitions. */
export const findStored = (value: unknown): StoredValue[] => {
  const found = new Map<string, StoredValue>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== "object" || item === null) continue;
    const file = readStored(item);
    if (file) found.set(file.id, file);
    else open.push(...Object.values(item).reverse());
  }
  return [...found.values()];
};
