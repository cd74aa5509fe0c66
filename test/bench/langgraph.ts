import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import jsonata from "jsonata";

type State = { count: number };

/** The members of LangGraph that the chain uses. */
type LangGraph = {
  Annotation: (() => unknown) & { Root: (fields: Record<string, unknown>) => unknown };
  StateGraph: new (
    state: unknown,
  ) => {
    addNode: (name: string, node: (state: State) => Promise<State>) => unknown;
    addEdge: (from: string, to: string) => unknown;
    compile: () => {
      invoke: (state: State, options: { recursionLimit: number }) => Promise<State>;
    };
  };
  START: string;
  END: string;
};

/** Loads the LangGraph that `npm install --prefix DIRECTORY @langchain/langgraph @langchain/core` put into a directory. */
export const loadLangGraph = (directory: string): Promise<LangGraph> => {
  const { resolve } = createRequire(join(directory, "package.json"));
  return import(pathToFileURL(resolve("@langchain/langgraph")).href);
};

/**
 * Creates a chain of LangGraph nodes that evaluate the same expression as the steps: the usual alternative for a flow
 * in one process. Without a checkpointer and tracing, as LangGraph is by default and fastest.
 */
export const langGraphChain = (
  { Annotation, StateGraph, START, END }: LangGraph,
  { length, expression }: { length: number; expression: string },
): (() => Promise<unknown>) => {
  const parsed = jsonata(expression);
  const names = Array.from({ length }, (_, at) => `s${at}`);
  const graph = new StateGraph(Annotation.Root({ count: Annotation() }));
  for (const name of names) {
    graph.addNode(name, async ({ count }) => ({
      count: Number(await parsed.evaluate({ steps: { before: { output: { count } } } })),
    }));
  }
  for (const [at, name] of names.entries()) graph.addEdge(names[at - 1] ?? START, name);
  graph.addEdge(names.at(-1) ?? START, END);
  const compiled = graph.compile();
  return async () => {
    const { count } = await compiled.invoke({ count: 0 }, { recursionLimit: length + 10 });
    if (count !== length) throw new Error(`the chain of ${length} nodes ended with ${count}`);
  };
};
