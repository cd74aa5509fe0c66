/** The session that a trigger continues, as typed: an id and an end user. */
export type SessionTexts = { id: string; endUserId: string };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Reads the session of a trigger: an id, `{id, endUserId}`, or null. */
export const toSessionTexts = (session: unknown): SessionTexts =>
  isObject(session)
    ? { id: toText(session.id), endUserId: toText(session.endUserId) }
    : { id: toText(session), endUserId: "" };

/** Converts what was typed to the session of a trigger; null for none. */
export const toTriggerSession = ({ id, endUserId }: SessionTexts) => {
  if (endUserId !== "") return { id, endUserId };
  return id === "" ? null : id;
};
