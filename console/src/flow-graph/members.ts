/** An object of a draft. */
export type Members = Readonly<Record<string, unknown>>;

/** Reports whether a value is an object. */
export const isRecord = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the items of a list; none for any other value. */
export const itemsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the texts of a list. */
export const textsIn = (value: unknown): string[] =>
  itemsIn(value).filter((item) => typeof item === "string");

/** Returns a text; none for any other value. */
export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** Replaces a member; undefined removes it. */
export const withMember = (members: Members, name: string, value: unknown): Members => {
  if (value !== undefined) return { ...members, [name]: value };
  const { [name]: _, ...others } = members;
  return others;
};

/** Replaces an item of a list. */
export const withItem = <Item>(items: readonly Item[], index: number, item: Item): Item[] =>
  items.map((before, at) => (at === index ? item : before));
