import { isUuid } from "../../lib/platform/http/ids.ts";
import { didYouMean } from "../../lib/platform/http/nearest-name.ts";
import type { Reference, ReferenceKind } from "./references.ts";
import type { Named, Remote } from "./remote.ts";

const nouns: Readonly<Record<ReferenceKind, string>> = {
  agent: "agent",
  provider: "model provider",
  skill: "skill",
  config: "integration config",
  asset: "asset",
};

/** Kinds that are refused here, before anything is sent; the API refuses unknown ids of all kinds. */
const unchecked: readonly ReferenceKind[] = ["skill", "config"];

type Lists = ReadonlyMap<ReferenceKind, readonly Named[]>;

/** The id that a reference resolves to, or the reason why there is none. */
export type Resolved = { id: string } | { detail: string };

/** Resolves references of files to ids, and names ids in files. */
export type Names = {
  /** Reads the lists that are needed to resolve references. `known` are ids that need no list. */
  resolve(
    references: readonly Reference[],
    known: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, Resolved>>;
  /** Returns a function that writes ids: as readable ids, else by name if it is the only one, else as ids. */
  writer(
    references: readonly Reference[],
    preferred: ReadonlyMap<string, string>,
  ): Promise<(reference: Reference) => string>;
};

/** Returns the key of a reference in a map. */
export const buildKey = ({ kind, text }: Pick<Reference, "kind" | "text">): string =>
  `${kind} ${text}`;

/** Creates names that read each list at most once. `files` are the agents and skills of the folder. */
export const createNames = (
  { listNamed }: Pick<Remote, "listNamed">,
  files: Partial<Record<ReferenceKind, readonly Named[]>>,
): Names => {
  const lists = new Map<ReferenceKind, Promise<readonly Named[] | undefined>>();
  const readList = (kind: ReferenceKind): Promise<readonly Named[] | undefined> => {
    const list = lists.get(kind) ?? listNamed(kind);
    lists.set(kind, list);
    return list;
  };
  const read = async (references: readonly Reference[]): Promise<Lists> => {
    const kinds = [...new Set(references.map(({ kind }) => kind))];
    const read = await Promise.all(
      kinds.map(async (kind) => [kind, await readList(kind)] as const),
    );
    return new Map(read.flatMap(([kind, list]) => (list ? [[kind, list] as const] : [])));
  };
  const inFolder = ({ kind, text }: Reference): string | undefined =>
    (files[kind] ?? []).find(({ id }) => id === text)?.id ??
    onlyOne((files[kind] ?? []).filter(({ displayName }) => displayName === text))?.id;

  return {
    resolve: async (references, known) => {
      const unknown = references.filter(
        (reference) => !known.has(buildKey(reference)) && inFolder(reference) === undefined,
      );
      const found = await read(unknown.filter(({ text }) => !isUuid(text)));
      return new Map(
        references.map((reference) => {
          const id =
            inFolder(reference) ?? (known.has(buildKey(reference)) ? reference.text : undefined);
          return [buildKey(reference), id === undefined ? resolveIn(found, reference) : { id }];
        }),
      );
    },
    writer: async (references, preferred) => {
      const unnamed = references.filter(
        (reference) => isUuid(reference.text) && !preferred.has(buildKey(reference)),
      );
      const found = await read(unnamed);
      return (reference) => preferred.get(buildKey(reference)) ?? nameIn(found, reference);
    },
  };
};

const onlyOne = <Item>(items: readonly Item[]): Item | undefined =>
  items.length === 1 ? items[0] : undefined;

const resolveIn = (lists: Lists, { kind, text }: Reference): Resolved => {
  const list = lists.get(kind);
  if (!list || list.some(({ id }) => id === text)) return { id: text };
  const named = list.filter(({ displayName }) => displayName === text);
  const [one, ...others] = named;
  if (one && others.length === 0) return { id: one.id };
  const noun = nouns[kind];
  if (one) {
    const ids = named.map(({ id }) => id).join(", ");
    return { detail: `is the name of ${named.length} ${noun}s: write the id of one, ${ids}` };
  }
  if (!unchecked.includes(kind)) return { id: text };
  const known = list.flatMap(({ id, displayName }) => [id, displayName ?? id]);
  return { detail: didYouMean(`there is no ${noun} ${JSON.stringify(text)}`, text, known) };
};

const nameIn = (lists: Lists, { kind, text }: Reference): string => {
  const list = lists.get(kind) ?? [];
  const name = list.find(({ id }) => id === text)?.displayName;
  if (!isUuid(text) || !name || isUuid(name) || name.includes("{%")) return text;
  const isTaken = list.some(({ id, displayName }) =>
    id === text ? false : id === name || displayName === name,
  );
  return isTaken ? text : name;
};
