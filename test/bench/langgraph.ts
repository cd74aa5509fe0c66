import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import jsonata from "jsonata";

const State = Annotation.Root({ count: Annotation<number> });

/**
 * Creates a chain of LangGraph nodes that evaluate the same expression as the steps: the usual alternative for a flow
 * in one process. Without a checkpointer and tracing, as LangGraph is by default and fastest.
 */
export const langGraphChain = (length: number, expression: string): (() => Promise<unknown>) => {
  const parsed = jsonata(expression);
  const names = Array.from({ length }, (_, at) => `s${at}`);
  const graph = new StateGraph<typeof State.spec, typeof State.State, typeof State.Update, string>(
    State,
  );
  for (const name of names) {
    graph.addNode(name, async ({ count }: typeof State.State) => ({
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
