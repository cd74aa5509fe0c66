/** A skill as a Prompt uses it: instructions and tools. */
export type FlowSkill = {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly instructions: string | null;
  readonly tools: readonly {
    readonly integrationId: string;
    readonly id: string;
    /** Integration config of the tool; default: the integration's oldest published one. */
    readonly configId?: string | null;
  }[];
};

/** Finds a tenant's skills by id. */
export type SkillRegistry = {
  resolve(skillId: string): Promise<FlowSkill | undefined>;
};
