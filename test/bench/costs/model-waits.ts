/** Waits of a function for models, one after another, while Lambda bills its whole memory. */
export type ModelWait = { operation: string; waits: number };

/**
 * The functions that wait while each agent of a unit of work calls a model once. A message has up to ten executions,
 * which run at the same time; the driver of an experiment runs as long as its two batches of ten.
 */
export const modelWaits: Readonly<Record<string, readonly ModelWait[]>> = {
  "execute, model call": [{ operation: "execute-agent-or-test-draft", waits: 1 }],
  "execute, session": [{ operation: "execute-agent-or-test-draft", waits: 1 }],
  "execute, memory": [
    { operation: "execute-agent-or-test-draft", waits: 1 },
    { operation: "evaluate-execution", waits: 1 },
  ],
  "execute, remote model": [{ operation: "execute-agent-or-test-draft", waits: 1 }],
  "execute, Judge": [{ operation: "execute-agent-or-test-draft", waits: 1 }],
  "execute, background": [{ operation: "run-execution", waits: 1 }],
  "push, model call": [{ operation: "run-execution", waits: 1 }],
  "push, 10 model calls": [{ operation: "run-execution", waits: 1 }],
  "10 pushes, model calls": [{ operation: "run-execution", waits: 1 }],
  "execute, file": [{ operation: "execute-agent-or-test-draft", waits: 1 }],
  "chat message": [{ operation: "reply-to-chat", waits: 1 }],
  "chat message, session": [{ operation: "reply-to-chat", waits: 1 }],
  "scheduled run": [{ operation: "run-execution", waits: 1 }],
  "experiment, 20 runs": [
    { operation: "run-execution", waits: 2 },
    { operation: "run-experiment", waits: 2 },
  ],
};

/** Units of work without a model. */
export const withoutModel: readonly string[] = [
  "get key",
  "execute, 3 steps",
  "OpenAI response, 3 steps",
  "execute, guardrail",
  "store file",
  "get file content",
  "push, 0 agents",
  "push, 1 agent",
  "push, 10 agents",
  "push, 100 agents",
  "2 pushes in a batch",
  "5 pushes in a batch",
  "10 pushes in a batch",
  "signed push, 1 agent",
  "execute, approval",
  "decide approval",
  "list 50 executions",
  "list 50 executions, all agents",
  "rotate key",
];
