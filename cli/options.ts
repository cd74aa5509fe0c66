import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod";
import { Uuid } from "../lib/platform/http/ids.ts";
import { usage } from "./exit.ts";

/** The options that every command takes. */
export const GlobalOptions = z.object({
  url: z.string().optional(),
  tenant: z.string().optional(),
  json: z.boolean().default(false),
});

/** Reads a command's options, the global ones included. */
export const optionsOf = <Schema extends z.ZodType>(
  command: Command,
  schema: Schema,
): z.output<Schema> => schema.parse(command.optsWithGlobals());

/** Reads `--limit`: a whole number from 1. */
export const parseLimit = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
};

/** Reads a key's id. What was given is not said back: it may be the key itself. */
export const parseKeyId = (text: string): string => {
  const id = Uuid.safeParse(text);
  if (!id.success) {
    throw usage(
      "<id> must be a key's id, a uuid as wharf keys list shows it; never the key itself.",
    );
  }
  return id.data;
};
