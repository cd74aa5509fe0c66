import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Draft } from "../../flow-graph/edit-flow.ts";
import { isRecord } from "../../flow-graph/members.ts";
import {
  type DraftKey,
  listOtherDrafts,
  readDrafts,
  type StoredDraft,
  writeDrafts,
} from "../../session/draft-store.ts";
import { useSession } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { restoreSecrets, withoutSecrets } from "./draft-secrets.ts";
import type { DocumentState } from "./use-document.ts";

/** The drafts of a revision that were left earlier, and those of other revisions. */
export type KeptDrafts = {
  /** When the newest one was changed last; undefined without one. */
  savedAt: number | undefined;
  /** The newest of the agent's other revisions with a draft; 0 for a first one. */
  otherRevision: number | undefined;
  restore: () => void;
  discard: () => void;
  /** Removes the draft of a revision that was saved. */
  remove: () => void;
};

type KeptOptions = {
  agent: string;
  revision: number | null;
  /** Text of the revision, which has the masks of its secrets. */
  initial: string;
  state: DocumentState;
  isEditable: boolean;
};

/** The drafts of one revision that were left earlier. */
type Left = { revision: number | null; drafts: readonly StoredDraft[]; others: readonly number[] };

const none: readonly never[] = [];

/** Stores what is edited while it is typed, and offers what was left earlier. */
export const useDrafts = (options: KeptOptions): KeptDrafts => {
  const { agent, revision, initial, state, isEditable } = options;
  const user = useSession().user.id;
  const tenant = useTenant();
  const key = useMemo(() => ({ user, tenant, agent, revision }), [user, tenant, agent, revision]);
  const [left, setLeft] = useState<Left>();
  useEffect(() => {
    if (!isEditable) return;
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const [drafts, others] = await Promise.all([readDrafts(key), listOtherDrafts(key)]);
      if (isCurrent) setLeft({ revision: key.revision, drafts, others });
    };
    // A browser without storage keeps no drafts.
    read().catch(ignore);
    return () => {
      isCurrent = false;
    };
  }, [key, isEditable]);

  const { draft, hasChanges, change } = state;
  const { write, cancel } = useAutosave();
  const isRead = left?.revision === revision;
  const drafts = isRead ? left.drafts : none;
  useEffect(() => {
    if (isRead) write(key, draft, hasChanges, drafts);
  }, [key, draft, hasChanges, isRead, drafts, write]);
  const drop = (): void =>
    setLeft((before) => before && { ...before, drafts: before.drafts.slice(1) });
  return {
    savedAt: drafts[0]?.savedAt,
    otherRevision:
      isRead && drafts.length === 0 && left.others.length > 0
        ? Math.max(...left.others)
        : undefined,
    restore: () => {
      const [newest] = drafts;
      const source: unknown = JSON.parse(initial);
      if (newest) change(() => restoreSecrets(isRecord(source) ? source : {}, newest.draft));
      drop();
    },
    discard: drop,
    remove: () => {
      cancel();
      void writeDrafts(key, drafts).catch(ignore);
    },
  };
};

const ignore = (): void => undefined;
const pauseMs = 400;

/** Returns a function that stores a draft before those that were left earlier, some time after its last change. */
const useAutosave = () => {
  const pending = useRef<{ key: DraftKey; run: () => void; timer: number }>(undefined);
  const cancel = useCallback((): void => {
    clearTimeout(pending.current?.timer);
    pending.current = undefined;
  }, []);
  const flush = useCallback((): void => {
    const run = pending.current?.run;
    cancel();
    run?.();
  }, [cancel]);
  useEffect(() => {
    // The page may be closed before the pause is over.
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [flush]);
  const write = useCallback(
    (key: DraftKey, draft: Draft, hasChanges: boolean, left: readonly StoredDraft[]): void => {
      if (pending.current?.key === key) cancel();
      else flush();
      const own = hasChanges ? [{ savedAt: Date.now(), draft: withoutSecrets(draft) }] : [];
      const run = (): void => void writeDrafts(key, [...own, ...left]).catch(ignore);
      pending.current = { key, run, timer: window.setTimeout(flush, pauseMs) };
    },
    [cancel, flush],
  );
  return { write, cancel };
};
