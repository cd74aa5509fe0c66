/** Keys under `metadata` for members of a skill that the Agent Skills format does not have; their values are strings. */
export const metadataKeys = {
  displayName: "display-name",
  tools: "tools",
  resources: "resources",
} as const;
