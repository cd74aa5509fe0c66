/** An asset of a skill: `vectorized` ones are searched, others are read. */
export type SkillResource = {
  readonly assetId: string;
  readonly description: string;
  readonly vectorized: boolean;
};

/** A skill as a Prompt uses it: instructions, tools and resources. */
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
  readonly resources: readonly SkillResource[];
};

/** Finds a tenant's skills by id. */
export type SkillRegistry = {
  resolve(skillId: string): Promise<FlowSkill | undefined>;
};
