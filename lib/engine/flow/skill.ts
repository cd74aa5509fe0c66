/** A reusable bundle of instructions and tools, as a Prompt uses it. */
export type FlowSkill = {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly instructions: string | null;
  readonly tools: readonly {
    readonly integrationId: string;
    readonly id: string;
    /** Without it, a tool that takes a config is one of its integration's oldest published config. */
    readonly configId?: string | null;
  }[];
};

/** Finds a tenant's skills by id. */
export type SkillRegistry = {
  resolve(skillId: string): Promise<FlowSkill | undefined>;
};
