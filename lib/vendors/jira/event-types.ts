import { type EventTypes, splitNames } from "../event-types.ts";

/** Values of `webhookEvent` (developer.atlassian.com/cloud/jira/platform/webhooks). */
const names = splitNames(`
    attachment_created attachment_deleted board_configuration_changed board_created board_deleted board_updated
    comment_created comment_deleted comment_updated filter_created filter_deleted filter_updated
    issue_property_deleted issue_property_set issuelink_created issuelink_deleted issuetype_created issuetype_deleted
    issuetype_updated jira:issue_created jira:issue_deleted jira:issue_updated jira:version_created
    jira:version_deleted jira:version_moved jira:version_released jira:version_unreleased jira:version_updated
    jira:worklog_updated jira_expression_evaluation_failed option_attachments_changed option_issuelinks_changed
    option_subtasks_changed option_timetracking_changed option_unassigned_issues_changed option_voting_changed
    option_watching_changed project_archived project_created project_deleted project_restored_archived
    project_restored_deleted project_soft_deleted project_updated sprint_closed sprint_created sprint_deleted
    sprint_started sprint_updated user_created user_deleted user_updated worklog_created worklog_deleted worklog_updated
`);

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
