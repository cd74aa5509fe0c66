/** Returns a flow of a step that only computes, and of one that calls a model, in a branch that no event takes: workers run it. */
export const runByWorkers = <Step extends { id: string }>(step: Step, providerId = "test") => ({
  llmConfigs: [{ providerId, parameters: {} }],
  flow: {
    steps: [
      {
        id: "any",
        type: "Condition",
        cases: [{ when: "{% input.event %}", target: step.id }],
        otherwise: "ask",
      },
      step,
      { id: "ask", type: "Prompt", prompt: "Hi" },
    ],
    edges: [
      { source: "any", target: step.id },
      { source: "any", target: "ask" },
    ],
  },
});
