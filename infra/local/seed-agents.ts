const echo = { providerId: "echo", parameters: {} };

/** A flow of three steps that needs no account with a model provider. */
export const helloRevision = {
  comment: "Says hello",
  parametersMetadata: [{ name: "name", type: "String", required: false, defaultValue: "world" }],
  llmConfigs: [echo],
  flow: {
    steps: [
      { id: "greeting", type: "Transform", value: "Hello, {% input.name %}!" },
      { id: "answer", type: "Prompt", llm: echo, prompt: "{% steps.greeting.output %}" },
      { id: "result", type: "Output", value: { message: "{% steps.answer.output %}" } },
    ],
    edges: [
      { source: "greeting", target: "answer" },
      { source: "answer", target: "result" },
    ],
  },
};

const tickets = [
  { from: "Ada", priority: "high", text: "the checkout is down" },
  { from: "Linus", priority: "low", text: "the logo is blurred" },
  { from: "Grace", priority: "high", text: "nobody can log in" },
];

/** A flow with a condition, a loop and a tool: replies to the urgent ones of some tickets. */
export const triageRevision = {
  comment: "Replies to urgent tickets",
  parametersMetadata: [
    { name: "tickets", type: "Json", required: false, defaultValue: JSON.stringify(tickets) },
  ],
  llmConfigs: [echo],
  flow: {
    steps: [
      { id: "now", type: "Tool", integrationId: "system", toolId: "current_time" },
      { id: "urgent", type: "Transform", value: "{% input.tickets[priority = 'high'][] %}" },
      {
        id: "anyUrgent",
        type: "Condition",
        cases: [{ when: "$count(steps.urgent.output) > 0", target: "replies" }],
        otherwise: "quiet",
      },
      {
        id: "replies",
        type: "ForEach",
        items: "{% steps.urgent.output %}",
        concurrency: 3,
        step: { type: "Prompt", prompt: "{% item.from %}, we are on it: {% item.text %}" },
      },
      { id: "quiet", type: "Transform", value: [] },
      {
        id: "result",
        type: "Output",
        value: {
          at: "{% steps.now.output %}",
          replies:
            "{% steps.anyUrgent.output = 'replies' ? steps.replies.output : steps.quiet.output %}",
        },
      },
    ],
    edges: [
      { source: "urgent", target: "anyUrgent" },
      { source: "now", target: "result" },
      { source: "replies", target: "result" },
      { source: "quiet", target: "result" },
    ],
  },
};
