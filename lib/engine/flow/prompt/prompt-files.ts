import { holdsTemplate } from "../../../values/expression/template-text.ts";
import { buildPointer, isJsonObject, type Json } from "../../../values/json/json.ts";
import type { FlowFile } from "../../flow-file.ts";
import type { ModelMessage } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import type { StepContext } from "../step-context.ts";
import type { FlowProblem } from "../step-type.ts";
import { nameFile } from "./name-file.ts";

/** Most files of a Prompt. */
export const maxPromptFiles = 20;
const maxMegabytes = 20;
/** Most bytes of a Prompt's files in all. */
export const maxPromptFileBytes = maxMegabytes * 1024 * 1024;

/** Finds texts that cannot be files; pointers are relative to the step. */
export const checkPromptFiles = (files: readonly string[]): FlowProblem[] =>
  files.flatMap((text, at) => {
    if (holdsTemplate(text)) return [];
    const detail = 'must be an expression that selects a file, such as "{% input.photo %}"';
    return [{ pointer: buildPointer("files", at), detail }];
  });

/** Returns the files that a Prompt's expressions select. Throws a StepError for anything else, and beyond the limits. */
export const evaluateFiles = async (
  expressions: readonly string[],
  context: Pick<StepContext, "evaluate" | "files">,
): Promise<readonly FlowFile[]> => {
  const found = new Map<string, FlowFile>();
  for (const [at, expression] of expressions.entries()) {
    for (const id of readIds(await context.evaluate(expression), `files[${at}]`)) {
      if (!found.has(id)) found.set(id, await findFile(id, `files[${at}]`, context));
      requireFew([...found.values()]);
    }
  }
  return [...found.values()];
};

/** Returns the ids of the files in a value. */
const readIds = (value: Json, member: string): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item: Json) => {
    if (item === null || item === "") return [];
    if (isJsonObject(item) && typeof item.id === "string") return [item.id];
    const kind = Array.isArray(item) ? "an array in an array" : `a value of type ${typeof item}`;
    const detail = `${member} must select a file, such as {"id": …}, or an array of files, but its expression returns ${kind}.`;
    throw new StepError("execution-failed", detail);
  });

const findFile = async (
  id: string,
  member: string,
  { files }: Pick<StepContext, "files">,
): Promise<FlowFile> => {
  if (!files) throw new StepError("execution-failed", "There are no files here.");
  const file = await files.find(id);
  if (file) return file;
  const detail = `${member}: "${id.slice(0, 128)}" is not a file of this execution.`;
  throw new StepError("execution-failed", detail);
};

const requireFew = (files: readonly FlowFile[]): void => {
  if (files.length > maxPromptFiles) {
    const detail = `"files" selects more than ${maxPromptFiles} files.`;
    throw new StepError("execution-failed", detail);
  }
  const bytes = countBytes(files);
  if (bytes <= maxPromptFileBytes) return;
  const detail = `The files of "files" have ${bytes} bytes in all; a Prompt takes at most ${maxMegabytes} MB.`;
  throw new StepError("execution-failed", detail);
};

const countBytes = (files: readonly FlowFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Returns the messages of earlier turns with the newest of their files, within the limits of a Prompt's own. Notes take the
 * place of the others.
 */
export const withNewestFiles = (
  earlier: readonly ModelMessage[],
  own: readonly FlowFile[],
): readonly ModelMessage[] => {
  const left = { files: maxPromptFiles - own.length, bytes: maxPromptFileBytes - countBytes(own) };
  return earlier
    .toReversed()
    .map((message) => {
      if (message.role !== "user" || !message.files) return message;
      const { files, ...rest } = message;
      const kept = files.filter(({ bytes }) => {
        if (left.files === 0 || bytes > left.bytes) return false;
        left.files -= 1;
        left.bytes -= bytes;
        return true;
      });
      const others = files.filter((file) => !kept.includes(file));
      const notes = others.map(
        (file) => `[${nameFile(file)} of an earlier turn is not sent again.]`,
      );
      const text = [message.text, ...notes].join("\n");
      return { ...rest, text, ...(kept.length > 0 && { files: kept }) };
    })
    .toReversed();
};
