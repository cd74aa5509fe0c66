import { couldAccept, maxFilesOfInput } from "../values/json/file-value.ts";
import { type Json, type JsonObject, setMember } from "../values/json/json.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";

/** An input of the type File without a value, and the files of a message that it gets. */
export type FileSlot<File> = {
  readonly descriptor: ParameterDescriptor;
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly files: File[];
};

/** A file that needs an input. */
export type SlotFile = {
  /** Media type, or a range of them such as `image/*`; undefined where it is not known before the file is read. */
  readonly mediaType: string | undefined;
  /** 0 where the size is not known before the file is read. */
  readonly bytes: number;
};

/** Why no input takes a file, and the inputs that come closest: those that only it is too large for, or that are full. */
export type SlotRefusal<File> = {
  readonly reason: "type" | "size" | "full";
  readonly closest: readonly FileSlot<File>[];
};

/** Opens the inputs of an agent for the files of a message. `given`: inputs that have a value, and take no file. */
export const openFileSlots = <File>(
  parameters: readonly ParameterDescriptor[],
  { given = {}, maxBytes = Number.POSITIVE_INFINITY }: { given?: JsonObject; maxBytes?: number },
): FileSlot<File>[] =>
  parameters.flatMap((descriptor) =>
    descriptor.type !== "File" || Object.hasOwn(given, descriptor.name)
      ? []
      : [
          {
            descriptor,
            maxBytes: descriptor.maxBytes ?? maxBytes,
            maxFiles: descriptor.multiple ? maxFilesOfInput : 1,
            files: [],
          },
        ],
  );

/** Returns whether an input has all files that it takes. */
export const isSlotFull = <File>({ files, maxFiles }: FileSlot<File>): boolean =>
  files.length >= maxFiles;

/**
 * Finds the input of a file of a chat message or of a protocol's request: the first one that accepts its media type and size and has
 * room. Returns why none does.
 */
export const findFileSlot = <File>(
  slots: readonly FileSlot<File>[],
  { mediaType, bytes }: SlotFile,
): FileSlot<File> | SlotRefusal<File> => {
  const accepting = slots.filter(({ descriptor }) => couldAccept(descriptor.accept, mediaType));
  if (accepting.length === 0) return { reason: "type", closest: [] };
  const within = accepting.filter(({ maxBytes }) => bytes <= maxBytes);
  if (within.length === 0) return { reason: "size", closest: accepting };
  return within.find((slot) => !isSlotFull(slot)) ?? { reason: "full", closest: within };
};

/** Finds an input that must have a file and has none. */
export const findMissingFile = <File>(
  slots: readonly FileSlot<File>[],
): ParameterDescriptor | undefined =>
  slots.find(
    ({ descriptor: { required, defaultValue }, files }) =>
      required && defaultValue === null && files.length === 0,
  )?.descriptor;

/** Returns the inputs that have files, as references: a list where an input takes several. */
export const toFileInputs = <File>(
  slots: readonly FileSlot<File>[],
  toReference: (file: File) => JsonObject,
): JsonObject => {
  const input: Record<string, Json> = {};
  for (const { descriptor, files } of slots) {
    const references = files.map(toReference);
    const [first] = references;
    if (first) setMember(input, descriptor.name, descriptor.multiple ? references : first);
  }
  return input;
};
