/** Ids in the examples of the help. docs/cli.md has variables in their place. */
export const sampleIds = {
  apiKey: "0193f0a0-7c4b-7000-8000-000000000000",
  execution: "01a1fb9e-ab6b-7c66-81d8-d0100f04b623",
  approval: "01a1fba3-6c2d-7000-8000-8a4b1c3d5e27",
  memory: "01a1fba4-1b2c-7000-8000-3d5e7f9a0b21",
  file: "01a1fba5-4d6e-7000-8000-1b3c5d7e9f24",
  experiment: "01a1fba1-7d3e-7000-8000-2b9c4e6f8a10",
  webhook: "01a1fb9f-0d58-7060-8036-399aec4d1e02",
  config: "01a1fba2-5b1c-7000-8000-7f3a9d2e6c14",
  delivery: "01a1fba0-3a2f-7000-8000-5e1d3f0c2b7a",
} as const;
