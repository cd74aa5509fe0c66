import { eventVocabulary } from "./event-vocabulary.ts";

/**
 * Text that events and the results of executions have in common, as a preset dictionary of deflate. Stored values can be expanded
 * only with the dictionary that compressed them, so it never changes.
 */
export const jsonDictionary = Buffer.from(
  [
    // Those that come last cost least.
    eventVocabulary,
    `"error":{"type":"/problems/upstream-timeout","title":"Upstream service timed out","status":504,"detail":"`,
    `"error":{"type":"/problems/budget-exceeded","title":"Budget exceeded","status":402,"detail":"`,
    `"error":{"type":"/problems/upstream-failed","title":"Upstream service failed","status":502,"detail":"`,
    `"error":{"type":"/problems/execution-failed","title":"Execution failed","status":422,"detail":"`,
    `","step":"answer","upstream":null,"upstreamStatus":null},"upstreamStatus":500}`,
    `"status":"Skipped","status":"Cancelled","status":"Failed","type":"Condition","type":"ForEach","type":"SubAgent",`,
    `"type":"Tool","type":"Output","providerId":"openai","providerId":"anthropic","providerId":"bedrock",`,
    `"output":{"text":"","items":[],"body":{"data":{"name":"","value":"","message":"`,
    `{"output":null,"error":null,"trace":[{"id":"ask","parentId":null,"stepId":"ask","name":"ask","type":"Prompt",`,
    `"startTime":17,"endTime":17,"status":"Succeeded","input":{"messages":[{"role":"user","content":"`,
    `"}]},"output":"","error":null,`,
    `"usage":{"inputTokens":0,"outputTokens":0,"cachedTokens":0,"thinkingTokens":0},`,
    `"cost":{"inputCost":0,"outputCost":0,"cachedCost":0,"thinkingCost":0,"totalCost":0},"priced":true,`,
    `"modelId":"gpt-","providerId":"`,
    `"},{"id":"ask/model-1","parentId":"ask","stepId":"ask","name":"Model","type":"Model","startTime":176,`,
    `"},{"id":"","parentId":null,"stepId":"","name":"","type":"Transform","startTime":176,"endTime":176,`,
    `"status":"Succeeded","input":null,"output":{"`,
    `"},"error":null,"usage":null,"cost":null,"priced":null,"modelId":null,"providerId":null},{"id":"`,
  ].join(""),
);
