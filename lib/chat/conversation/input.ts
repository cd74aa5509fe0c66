import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { ChatMessage } from "../../vendors/chat-message.ts";

/**
 * Builds the agent's input from `message`, `user` and `conversation`, as far as it declares them. A String parameter
 * receives the name or id of `user` and `conversation`. The session fills `history`, and attachments
 * fill parameters of the type File.
 */
export const chatInput = (
  parameters: readonly ParameterDescriptor[],
  { text, user, conversation }: Pick<ChatMessage, "text" | "user" | "conversation">,
): Record<string, unknown> => {
  const values: Record<string, { whole: unknown; text: string }> = {
    message: { whole: text, text },
    user: { whole: user, text: user.name ?? user.id },
    conversation: { whole: conversation, text: conversation.name ?? conversation.id },
  };
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      const value = type !== "File" && Object.hasOwn(values, name) ? values[name] : undefined;
      return value ? [[name, type === "String" ? value.text : value.whole]] : [];
    }),
  );
};
