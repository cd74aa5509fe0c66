import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod";
import { Uuid } from "../lib/platform/http/ids.ts";
import { usage } from "./exit.ts";

/** Options of every command. */
export const GlobalOptions = z.object({
  url: z.string().optional(),
  tenant: z.string().optional(),
  json: z.boolean().default(false),
});

/** Parses a command's options, including the global ones. */
export const optionsOf = <Schema extends z.ZodType>(
  command: Command,
  schema: Schema,
): z.output<Schema> => schema.parse(command.optsWithGlobals());

/** Parses `--limit`. */
export const parseLimit = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError("It must be a positive integer.");
  return Number(text);
};

/** Parses a key's id. The message does not repeat the argument, which may be the key itself. */
export const parseKeyId = (text: string): string => {
  const id = Uuid.safeParse(text);
  if (!id.success) {
    throw usage("<id> must be the key's id, a UUID from wharf keys list, not the key itself.");
  }
  return id.data;
};
