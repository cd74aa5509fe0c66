import { readFileReference } from "../../../../lib/values/json/file-value.ts";
import { findStored, readStored, type StoredValue } from "./stored-value.ts";

/** A file of an input: a stored one with its facts, or the text of another reference. */
export type InputFile = StoredValue | { url: string } | { fileId: string } | { name: string };

/** A file of an input, and the value that the form keeps for it. */
export type FormFile = { file: InputFile; value: unknown };

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const parseList = (text: string): unknown[] => {
  const value = parse(text);
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};

/** Reads the files of an input from the text that the form keeps; what names no file is left out. */
export const readFormFiles = (text: string): FormFile[] =>
  parseList(text).flatMap((value): FormFile[] => {
    const file = readStored(value) ?? readFileReference(value);
    return typeof file === "string" ? [] : [{ file, value }];
  });

/** Returns the text that the form keeps for files; empty without files. */
export const writeFormFiles = (files: readonly FormFile[]): string =>
  files.length === 0 ? "" : JSON.stringify(files.map(({ value }) => value));

/** Returns the value of an input of the type File, with stored files by their ids. */
export const toFileInput = (text: string, isMultiple: boolean): unknown => {
  const values = readFormFiles(text).map(({ file, value }) =>
    "id" in file ? { fileId: file.id } : value,
  );
  return isMultiple ? values : values[0];
};

/** A field of a form, as far as it may have files. */
type Field = { name: string; type?: string; multiple?: boolean | null };

/** Returns the inputs of the type File as expressions see them. */
export const readSeenFiles = (
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, type, multiple }) => {
      if (type !== "File") return [];
      const values = readFormFiles(texts[name] ?? "").map(({ value }) => value);
      return values.length === 0 ? [] : [[name, multiple ? values : values[0]]];
    }),
  );

/** Returns the stored files of all inputs in a form. */
export const listFormFiles = (
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): StoredValue[] =>
  fields.flatMap(({ name, type }) => (type === "File" ? findStored(parse(texts[name] ?? "")) : []));
