import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useCreateRevision } from "../../agent-queries/use-revisions.ts";
import type { Draft } from "../../flow-graph/edit-flow.ts";
import { useTenant } from "../../session/tenant.ts";
import { useIsStillHere } from "../../shared/use-is-still-here.ts";

type SaveOptions = {
  agent: string;
  /** The revision to save; undefined while it is not valid. */
  draft: Draft | undefined;
  hasChanges: boolean;
  onSend: () => void;
  /** Called when the revision exists, also when the user has left. */
  onStored: () => void;
  onSaved: (revision: number) => void;
};

/** Saves the draft as a new revision, and shows it. */
export const useSaveRevision = (options: SaveOptions) => {
  const { agent, draft, hasChanges, onSend, onStored, onSaved } = options;
  const tenant = useTenant();
  const navigate = useNavigate();
  const startAction = useIsStillHere();
  const save = useCreateRevision(agent);
  const [comment, setComment] = useState("");
  const saved = useRef<number>(undefined);
  const maySend = draft !== undefined && hasChanges && !save.isPending;
  const send = (after?: (revision: number) => void): void => {
    if (!maySend) return;
    const isStillHere = startAction();
    onSend();
    const show = ({ agentRevision }: { agentRevision: number }): void => {
      // Whoever has left needs no draft of it, either.
      onStored();
      if (!isStillHere()) return;
      saved.current = agentRevision;
      onSaved(agentRevision);
      // A comment that was typed since is of the next revision.
      setComment((typed) => (typed === comment ? "" : typed));
      after?.(agentRevision);
      void navigate({
        to: "/t/$tenant/agents/$agent/flow",
        params: { tenant, agent },
        search: { revision: agentRevision },
      });
    };
    const body = { ...draft, comment: comment === "" ? null : comment };
    // A refusal is shown by the mutation.
    save.mutateAsync(body).then(show, () => undefined);
  };
  return {
    send,
    maySend,
    comment,
    setComment,
    error: save.error,
    sent: save.variables,
    isPending: save.isPending,
    /** Reports whether an address is that of the revision that was saved last. */
    isSaved: (revision: number | undefined): boolean =>
      revision !== undefined && revision === saved.current,
  };
};
