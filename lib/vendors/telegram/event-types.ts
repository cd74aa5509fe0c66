import { type EventTypes, splitNames } from "../event-types.ts";

/** Members of an `Update` (core.telegram.org/bots/api#update). */
const names = splitNames(`
    business_connection business_message callback_query channel_post chat_boost chat_join_request chat_member
    chosen_inline_result deleted_business_messages edited_business_message edited_channel_post edited_message inline_query
    message message_reaction message_reaction_count my_chat_member poll poll_answer pre_checkout_query
    purchased_paid_media removed_chat_boost shipping_query
`);

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
