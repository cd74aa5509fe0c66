import { type EventTypes, splitNames } from "../event-types.ts";

/** Values of `type` (developers.notion.com/reference/webhooks-events-delivery). */
const names = splitNames(`
    comment.created comment.deleted comment.updated data_source.content_updated data_source.created
    data_source.deleted data_source.moved data_source.schema_updated data_source.undeleted database.content_updated
    database.created database.deleted database.moved database.schema_updated database.undeleted file_upload.completed
    file_upload.created file_upload.expired file_upload.upload_failed page.content_updated page.created page.deleted
    page.locked page.moved page.properties_updated page.transcription_block.transcript_deleted page.undeleted
    page.unlocked view.created view.deleted view.updated
`);

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
