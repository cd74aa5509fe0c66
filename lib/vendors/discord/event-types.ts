import { type EventTypes, splitNames } from "../event-types.ts";

/** Types of interactions and of webhook events (discord.com/developers/docs). */
const names = splitNames(`
    APPLICATION_AUTHORIZED APPLICATION_COMMAND APPLICATION_COMMAND_AUTOCOMPLETE APPLICATION_DEAUTHORIZED
    ENTITLEMENT_CREATE ENTITLEMENT_DELETE ENTITLEMENT_UPDATE GAME_DIRECT_MESSAGE_CREATE GAME_DIRECT_MESSAGE_DELETE
    GAME_DIRECT_MESSAGE_UPDATE LOBBY_MESSAGE_CREATE LOBBY_MESSAGE_DELETE LOBBY_MESSAGE_UPDATE MESSAGE_COMPONENT
    MODAL_SUBMIT PING QUEST_USER_ENROLLMENT
`);

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
