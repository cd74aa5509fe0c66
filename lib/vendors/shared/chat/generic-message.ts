import * as z from "zod";
import { zodErrorMap } from "../../../platform/http/zod-error-map.ts";
import { buildPointer } from "../../../values/json/json.ts";
import type { ReadMessage } from "../../chat-provider.ts";

const id = z.string().min(1).max(512);
const name = z.string().max(512).nullish();

/** Message of a custom sender; `text` has at most 100,000 characters. */
const GenericMessage = z.object({
  id,
  user: z.object({ id, name }),
  conversation: z.object({ id, name }),
  text: z.string().min(1).max(100_000),
});

/** Validation problems of a generic message, by JSON pointer. */
export type GenericProblems = readonly { pointer: string; detail: string }[];

/** Parses `{id, user: {id, name?}, conversation: {id, name?}, text}`, or returns its problems. */
export const readGenericMessage = (
  value: unknown,
): { message: ReadMessage } | { problems: GenericProblems } => {
  const { data, error } = GenericMessage.safeParse(value, { error: zodErrorMap });
  if (error) {
    const problems = error.issues.map(({ path, message }) => ({
      pointer: buildPointer(...path.map(String)),
      detail: message,
    }));
    return { problems };
  }
  const { user, conversation } = data;
  return {
    message: {
      id: data.id,
      user: { id: user.id, name: user.name ?? null },
      conversation: { id: conversation.id, name: conversation.name ?? null },
      text: data.text,
    },
  };
};
