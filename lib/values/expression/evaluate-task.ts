import type { Mark } from "../../platform/sandbox/messages.ts";
import { type Json, setMember } from "../json/json.ts";
import { maxValueBytes } from "./evaluation-budget.ts";
import { type EvaluationResult, settle } from "./evaluation-result.ts";
import type { Scope, ScopeUpdate } from "./evaluation-scope.ts";
import { evaluateDeep, type ParsedTemplate, parseTemplate, type Template } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";
import { createSizeCache, type SizeCache } from "./size-cache.ts";

type Session = {
  readonly sizes: SizeCache;
  readonly values: Map<string, Json>;
  steps: { readonly [id: string]: { readonly output?: Json; readonly error?: Json } };
};

const sessions = new Map<number, Session>();

/** Maximum characters of templates with a cached parsed form. */
const maxParsedCharacters = 2 * 1024 * 1024;
const parsed = new Map<string, ParsedTemplate>();
let parsedCharacters = 0;

/** Evaluates the templates in a value over a session's scope. Marks each expression's position. */
export const run = async (
  input: {
    readonly scope: ScopeUpdate;
    readonly value: unknown;
    readonly now: number;
    readonly maxResultBytes?: number | undefined;
  },
  mark: Mark,
): Promise<EvaluationResult> => {
  const { maxResultBytes, now } = input;
  const { scope, sizes } = receive(input.scope);
  const options = {
    sizes,
    clock: () => now,
    mark,
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
  };
  return settle(() => evaluateDeep(input.value, scope, options, findTemplate));
};

const receive = ({
  session: id,
  names,
  added,
  dropped,
}: ScopeUpdate): {
  scope: Scope;
  sizes: SizeCache;
} => {
  for (const id of dropped) sessions.delete(id);
  const known = sessions.get(id);
  const session = known ?? { sizes: createSizeCache(maxValueBytes), values: new Map(), steps: {} };
  sessions.set(id, session);
  for (const [key, json] of added) addValue(session, key, JSON.parse(json));
  const scope: Record<string, unknown> = {};
  for (const name of names) {
    setMember(scope, name, name === "steps" ? session.steps : session.values.get(name));
  }
  return { scope, sizes: session.sizes };
};

const addValue = (session: Session, key: string, value: Json): void => {
  try {
    session.sizes.adopt(value);
  } catch {
    // A value that is too large or too deep fails where an expression uses it.
  }
  const [kind, id] = key.split("/");
  if (id === undefined || (kind !== "steps" && kind !== "errors")) session.values.set(key, value);
  else {
    const member = kind === "steps" ? { output: value } : { error: value };
    session.steps = { ...session.steps, [id]: { ...session.steps[id], ...member } };
  }
};

const findTemplate = (text: string): Template => {
  const known = parsed.get(text) ?? parseTemplate(text);
  if (!parsed.has(text)) {
    parsedCharacters += text.length;
    if (parsedCharacters > maxParsedCharacters) {
      parsed.clear();
      parsedCharacters = text.length;
    }
    parsed.set(text, known);
  }
  if (known.ok) return known.template;
  const message = `${known.message} (at character ${known.position}).`;
  throw new ExpressionError(message, known.position);
};
