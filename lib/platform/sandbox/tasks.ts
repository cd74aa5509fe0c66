/** Modules of the tasks that run in the sandbox, each loaded in the thread when it is first needed. */
export const tasks = {
  evaluate: async () => (await import("../../expression/evaluate-task.ts")).evaluateTask,
  evaluateExpression: async () =>
    (await import("../../expression/evaluate-task.ts")).evaluateExpressionTask,
  checkTemplates: async () =>
    (await import("../../expression/check-templates-task.ts")).checkTemplatesTask,
  checkSchema: async () => (await import("../../json/check-schema-task.ts")).checkSchemaTask,
  checkMetaSchema: async () =>
    (await import("../../json/check-schema-task.ts")).checkMetaSchemaTask,
  draftSkill: async () => (await import("../../agents/skill/draft-skill-task.ts")).draftSkillTask,
  parseOpenApi: async () =>
    (await import("../../engine/tools/openapi/parse-document-task.ts")).parseDocumentTask,
} as const;

export type TaskName = keyof typeof tasks;

type Loaded<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>;

/** The input of a task. */
export type TaskInput<Name extends TaskName> = Parameters<Loaded<Name>>[0];

/** The output of a task. */
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<Loaded<Name>>>;
