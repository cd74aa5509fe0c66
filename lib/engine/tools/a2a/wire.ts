import * as z from "zod";

/** Version of A2A that the client speaks. */
export const spokenVersion = "1.0";

const text = z.string().nullish();

const RemotePart = z.object({
  text: z.string().optional(),
  data: z.unknown().optional(),
  raw: z.string().optional(),
  url: z.string().optional(),
  mediaType: text,
  filename: text,
});
export type RemotePart = z.output<typeof RemotePart>;

const parts = z.array(RemotePart).default([]);

/** A message of a remote agent. */
export const AgentMessage = z.object({ contextId: text, parts });
export type AgentMessage = z.output<typeof AgentMessage>;

/** A task of a remote agent. */
export const RemoteTask = z.object({
  id: z.string().min(1).max(1_024),
  contextId: text,
  status: z.object({ state: z.string(), message: AgentMessage.nullish() }),
  artifacts: z.array(z.object({ parts })).nullish(),
});
export type RemoteTask = z.output<typeof RemoteTask>;

/** Response to a message: a task, or a message. */
export const SendResponse = z.union([
  z.object({ task: RemoteTask }),
  z.object({ message: AgentMessage }),
]);
export type SendResponse = z.output<typeof SendResponse>;

const Skill = z.object({ name: z.string(), description: text });

/** The card of a remote agent. */
export const RemoteCard = z.object({
  name: z.string(),
  description: text,
  supportedInterfaces: z.array(
    z.object({
      url: z.string(),
      protocolBinding: z.string(),
      protocolVersion: z.string(),
      tenant: text,
    }),
  ),
  defaultInputModes: z.array(z.string()).nullish(),
  skills: z.array(Skill).nullish(),
});
export type RemoteCard = z.output<typeof RemoteCard>;
