import * as z from "zod";
import { readEnd, type Storage } from "../executions/record/values.ts";
import { Problem, validationFailed } from "../platform/http/problems.ts";
import { buildPointer } from "../values/json/json.ts";
import { findResponse, type ReaderContext } from "./find-response.ts";
import { parseMessageId, type ResponseKey } from "./ids.ts";
import { formatOutput } from "./to-response.ts";

const ItemReference = z.looseObject({
  type: z.literal("item_reference").nullish(),
  id: z.string(),
});

/** Responses that the references of a request may name: every one is read from the table. */
const maxResponses = 100;
/** Characters of their messages: as many as a body may have. */
const maxCharacters = 4_194_304;

/**
 * Replaces references to messages of earlier responses by these messages, as clients send them that let the service keep the
 * conversation. Of several messages of one response, which a stream may have had, the last stands for its output, and the
 * others are undefined. Throws 404 for a message that does not exist or that the caller did not start and may not read, 403
 * without a role at its agent, and 400.
 */
export const replaceReferences = async (
  storage: Storage,
  { ctx, items }: { ctx: ReaderContext; items: readonly object[] },
): Promise<readonly (object | undefined)[]> => {
  const references = items.map((item, at) => readReference(item, at));
  const last = new Map<string, number>();
  for (const [at, found] of references.entries()) if (found) last.set(found.executionId, at);
  if (last.size === 0) return items;
  if (last.size > maxResponses) throw tooMuch(`more than ${maxResponses} responses`);
  const replaced: (object | undefined)[] = [];
  let characters = 0;
  for (const [at, item] of items.entries()) {
    const reference = references[at];
    if (!reference) replaced.push(item);
    // The others keep their places, which errors name.
    else if (last.get(reference.executionId) !== at) replaced.push(undefined);
    else {
      const content = await readText(storage, { ctx, reference, at });
      characters += content.length;
      if (characters > maxCharacters) throw tooMuch("messages that are too long");
      replaced.push({ role: "assistant", content });
    }
  }
  return replaced;
};

/** A reference with the message's id, as it was sent. */
type Reference = ResponseKey & { id: string };

const readReference = (item: object, at: number): Reference | undefined => {
  if ("role" in item) return undefined;
  const { data } = ItemReference.safeParse(item);
  if (!data) return undefined;
  const key = parseMessageId(data.id);
  if (!key) throw noItem(data.id, at);
  return { ...key, id: data.id };
};

const tooMuch = (what: string): Problem =>
  validationFailed([{ pointer: "/input", detail: `refers to ${what}: send a part of them` }]);

const readText = async (
  storage: Storage,
  { ctx, reference: { id, ...key }, at }: { ctx: ReaderContext; reference: Reference; at: number },
): Promise<string> => {
  const found = await findResponse(storage, { ctx, key });
  if (!found) throw noItem(id, at);
  if (found.item.status !== "Succeeded") {
    const detail = "is a message of a response that has no output";
    throw validationFailed([{ pointer: buildPointer("input", at, "id"), detail }]);
  }
  const result = await readEnd(storage, found, { needsTrace: false });
  return formatOutput(result?.output);
};

const noItem = (id: string, at: number): Problem =>
  new Problem("not-found", `There is no message ${JSON.stringify(id.slice(0, 200))}.`, {
    members: { param: `input[${at}].id` },
  });
