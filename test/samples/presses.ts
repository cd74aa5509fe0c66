/** Conversations to post into, as their providers name them. */
export const conversations = {
  slack: "C1",
  telegram: "-7",
  discord: "90",
  teams: "19:a@thread.tacv2",
} as const;

/** Providers that show buttons. */
export const withButtons = ["slack", "telegram", "discord", "teams"] as const;

/** The user who presses, and the conversation; by default Ada in the one above. */
export type Presser = { user?: number; name?: string; conversation?: string };

/**
 * Payloads of presses of a button, below the message that the fakes have shown first.
 * @param url of the fakes, for the providers that name it
 */
export const presses = (url: string) => ({
  slack: (value: string, { user = 1, name = "Ada", conversation = "C1" }: Presser = {}) => ({
    type: "block_actions",
    user: { id: `U${user}`, username: name.toLowerCase(), name },
    container: {
      type: "message_attachment",
      message_ts: "1503435956.000247",
      channel_id: conversation,
    },
    actions: [{ action_id: "button-0", value }],
  }),
  telegram: (data: string, { user = 1, name = "Ada", conversation = "-7" }: Presser = {}) => ({
    update_id: 1,
    callback_query: {
      id: "q",
      from: { id: user, first_name: name },
      message: { message_id: 2, chat: { id: Number(conversation) } },
      data,
    },
  }),
  discord: (custom_id: string, { user = 1, name = "Ada", conversation = "90" }: Presser = {}) => ({
    type: 3,
    channel_id: conversation,
    message: { id: "1" },
    member: { user: { id: `${user}`, global_name: name } },
    data: { component_type: 2, custom_id },
  }),
  teams: (
    button: string,
    { user = 1, name = "Ada", conversation = "19:a@thread.tacv2" }: Presser = {},
  ) => ({
    type: "message",
    from: { id: `29:${user}`, name },
    conversation: { id: `${conversation};messageid=1` },
    serviceUrl: `${url}/teams/`,
    replyToId: "1",
    value: { button },
  }),
});
