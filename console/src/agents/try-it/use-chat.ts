import { useState } from "react";
import { listFormFiles } from "../../shared/files/input-files.ts";
import type { StoredValue } from "../../shared/files/stored-value.ts";
import { parseValues } from "../../shared/form-from-schema.tsx";
import { divideInputs } from "./chat-input.ts";
import type { TriedProps } from "./tried.ts";
import { isRunning, type Run, useRun } from "./use-run.ts";

/** A message of the user, with the stored files of its inputs. */
type Said = { said: string; files: readonly StoredValue[] };

/** A message of the user, and the run that it started. */
export type ChatTurn = Said & { run: Run };

type ChatOptions = Omit<TriedProps, "children"> & {
  /** The session to continue. */
  session: string | undefined;
};

/** Keeps a conversation: its turns, its session, and what is typed, until an execution has it. */
export const useChat = (options: ChatOptions) => {
  const { agent, revision, testRevision, texts, onTexts } = options;
  const fields = revision.parametersMetadata;
  const { message } = divideInputs(fields);
  const [past, setPast] = useState<readonly ChatTurn[]>([]);
  const [last, setLast] = useState<Said>({ said: "", files: [] });
  const { run, start, reset } = useRun(agent.id);
  // A refused message started nothing.
  const isTurn = run !== undefined && (run.executionId !== undefined || isRunning(run));
  const turns: readonly ChatTurn[] = isTurn ? [...past, { ...last, run }] : past;
  const session =
    turns.findLast((turn) => turn.run.session !== undefined)?.run.session ?? options.session;
  const setMessage = (text: string, isReplaced: (typed: string) => boolean): void =>
    onTexts((typed) =>
      message && isReplaced(typed[message.name] ?? "") ? { ...typed, [message.name]: text } : typed,
    );
  const send = async (): Promise<void> => {
    const input = parseValues(fields, texts);
    const text = message ? (texts[message.name] ?? "") : JSON.stringify(input);
    setPast(turns);
    setLast({ said: text, files: listFormFiles(fields, texts) });
    const status = await start({
      ...{ input, revision: testRevision, session: session ?? null },
      onStarted: () => setMessage("", (typed) => typed === text),
    });
    // A failed turn is not part of the session: its text can be sent again.
    if (status !== undefined && status !== "Succeeded") setMessage(text, (typed) => typed === "");
  };
  const begin = (): void => {
    reset();
    setPast([]);
  };
  return { turns, run, session, send, begin };
};
