import { type EventTypes, splitNames } from "../event-types.ts";

const calls = (party: "callee" | "caller"): string[] =>
  splitNames(
    "answered connected ended hold meeting_inviting missed mute rejected ringing unhold unmute",
  ).map((what) => `phone.${party}_${what}`);

/** Values of `event` (developers.zoom.us/docs/api/webhooks). */
const names = [
  ...splitNames(`
    account.created account.disassociated account.lock_settings_updated account.settings_updated account.updated
    account.vanity_url_approved account.vanity_url_rejected app_deauthorized endpoint.url_validation
    meeting.ai_companion_assets_deleted meeting.ai_companion_started meeting.ai_companion_stopped
    meeting.aic_transcript_completed meeting.alert meeting.breakout_room_sharing_ended
    meeting.breakout_room_sharing_started meeting.chat_message_file_downloaded meeting.chat_message_file_sent
    meeting.chat_message_sent meeting.converted_to_webinar meeting.created meeting.deleted meeting.device_tested
    meeting.ended meeting.invitation_accepted meeting.invitation_dispatched meeting.invitation_rejected
    meeting.invitation_timeout meeting.live_streaming_started meeting.live_streaming_stopped
    meeting.participant_admitted meeting.participant_bind meeting.participant_feedback meeting.participant_jbh_joined
    meeting.participant_jbh_waiting meeting.participant_jbh_waiting_left meeting.participant_joined
    meeting.participant_joined_breakout_room meeting.participant_joined_waiting_room meeting.participant_left
    meeting.participant_left_breakout_room meeting.participant_left_waiting_room
    meeting.participant_phone_callout_accepted meeting.participant_phone_callout_missed
    meeting.participant_phone_callout_rejected meeting.participant_phone_callout_ringing
    meeting.participant_put_in_waiting_room meeting.participant_role_changed
    meeting.participant_room_system_callout_accepted meeting.participant_room_system_callout_failed
    meeting.participant_room_system_callout_missed meeting.participant_room_system_callout_rejected
    meeting.participant_room_system_callout_ringing meeting.permanently_deleted meeting.recovered
    meeting.registration_approved meeting.registration_cancelled meeting.registration_created
    meeting.registration_denied meeting.risk_alert meeting.rtms_interrupted meeting.rtms_started meeting.rtms_stopped
    meeting.sharing_ended meeting.sharing_started meeting.started meeting.summary_completed meeting.summary_deleted
    meeting.summary_recovered meeting.summary_shared meeting.summary_trashed meeting.summary_updated meeting.updated
    phone.blind_transfer_initiated phone.call_log_deleted phone.call_log_permanently_deleted phone.call_summary_changed
    phone.callee_call_history_completed phone.callee_call_log_completed phone.caller_call_history_completed
    phone.caller_call_log_completed phone.emergency_alert phone.recording_completed
    phone.recording_completed_for_access_member phone.recording_deleted phone.recording_paused
    phone.recording_permanently_deleted phone.recording_resumed phone.recording_started phone.recording_stopped
    phone.recording_transcript_completed phone.sms_campaign_number_opt_in phone.sms_campaign_number_opt_out
    phone.sms_received phone.sms_sent phone.sms_sent_failed phone.transfer_call_to_voicemail_initiated
    phone.voicemail_deleted phone.voicemail_permanently_deleted phone.voicemail_received
    phone.voicemail_received_for_access_member phone.voicemail_transcript_completed phone.warm_transfer_accepted
    phone.warm_transfer_cancelled phone.warm_transfer_completed phone.warm_transfer_initiated
    recording.archive_files_completed recording.batch_completed recording.batch_deleted recording.batch_recovered
    recording.batch_trashed recording.cloud_storage_usage_updated recording.completed recording.deleted
    recording.paused recording.recovered recording.registration_approved recording.registration_created
    recording.registration_denied recording.renamed recording.resumed recording.started recording.stopped
    recording.transcript_completed recording.trashed user.activated user.created user.deactivated user.deleted
    user.disassociated user.invitation_accepted user.personal_notes_updated user.presence_status_updated
    user.settings_updated user.signed_in user.signed_out user.tsp_created user.tsp_deleted user.tsp_updated
    user.updated webinar.alert webinar.chat_message_file_downloaded webinar.chat_message_file_sent
    webinar.chat_message_sent webinar.converted_to_meeting webinar.created webinar.deleted webinar.ended
    webinar.participant_bind webinar.participant_feedback webinar.participant_joined webinar.participant_left
    webinar.participant_role_changed webinar.permanently_deleted webinar.recovered webinar.registration_approved
    webinar.registration_cancelled webinar.registration_created webinar.registration_denied webinar.rtms_interrupted
    webinar.rtms_started webinar.rtms_stopped webinar.sharing_ended webinar.sharing_started webinar.started
    webinar.updated
  `),
  ...calls("callee"),
  ...calls("caller"),
];

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
