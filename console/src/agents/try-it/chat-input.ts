/** A parameter of an agent, as far as it decides which one is the message. */
type Input = { name: string; type?: string; secret?: boolean };

/** The inputs of an agent that is talked to: its message, and others. A session fills in `history`. */
export type ChatInputs<Field> = { message: Field | undefined; others: readonly Field[] };

/** Divides inputs: the message is `message`, else the only String, as in the turns of a session. */
export const divideInputs = <Field extends Input>(fields: readonly Field[]): ChatInputs<Field> => {
  const asked = fields.filter(({ name }) => name !== "history");
  const texts = asked.filter(({ type = "String", secret }) => type === "String" && !secret);
  const message =
    texts.find(({ name }) => name === "message") ?? (texts.length === 1 ? texts[0] : undefined);
  return { message, others: asked.filter((field) => field !== message) };
};
