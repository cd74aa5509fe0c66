import { createStore, del, delMany, get, keys, set } from "idb-keyval";

/** Place of a draft. A first revision has no number yet. */
export type DraftKey = { user: string; tenant: string; agent: string; revision: number | null };

/** A draft as it is stored, without secrets. */
export type StoredDraft = { savedAt: number; draft: Readonly<Record<string, unknown>> };

type StoredKey = [user: string, tenant: string, agent: string, revision: number];

const openStore = () => createStore("wharf-drafts", "drafts");
let opened: ReturnType<typeof openStore> | undefined;
const store = () => {
  opened ??= openStore();
  return opened;
};

const toKey = ({ user, tenant, agent, revision }: DraftKey): StoredKey => [
  user,
  tenant,
  agent,
  revision ?? 0,
];

/** Returns the drafts of a revision, the newest first: an earlier one stays until it is restored or discarded. */
export const readDrafts = async (key: DraftKey): Promise<readonly StoredDraft[]> =>
  (await get<readonly StoredDraft[]>(toKey(key), store())) ?? [];

/** Users who signed out of this page: what is written as it closes is not stored. */
const signedOut = new Set<string>();

/** Stores the drafts of a revision; none removes them. */
export const writeDrafts = async (key: DraftKey, drafts: readonly StoredDraft[]): Promise<void> => {
  if (signedOut.has(key.user)) return;
  await (drafts.length === 0 ? del(toKey(key), store()) : set(toKey(key), drafts, store()));
};

/** Returns the numbers of the agent's other revisions that have drafts; 0 for a first one. */
export const listOtherDrafts = async (key: DraftKey): Promise<number[]> => {
  const [user, tenant, agent, revision] = toKey(key);
  const all = await keys<StoredKey>(store());
  return all
    .filter(
      ([ofUser, ofTenant, ofAgent]) => ofUser === user && ofTenant === tenant && ofAgent === agent,
    )
    .map(([, , , number]) => number)
    .filter((number) => number !== revision);
};

/** Removes all drafts of a user who signs out. */
export const clearDrafts = async (user: string): Promise<void> => {
  signedOut.add(user);
  const all = await keys<StoredKey>(store());
  await delMany(
    all.filter(([ofUser]) => ofUser === user),
    store(),
  );
};
