import { type EventTypes, splitNames } from "../event-types.ts";

const prefix = "zen:event-type:";

/** Values of `type` (developer.zendesk.com/api-reference/webhooks/event-types); those of triggers are the user's own. */
const names = splitNames(`
    agent.channel_created agent.channel_deleted agent.max_capacity_changed agent.state_changed
    agent.unified_state_changed agent.work_item_added agent.work_item_removed article.author_changed
    article.comment_changed article.comment_created article.comment_published article.comment_unpublished
    article.published article.subscription_created article.unpublished article.vote_changed article.vote_created
    article.vote_removed community_post.changed community_post.comment_changed community_post.comment_created
    community_post.comment_published community_post.comment_unpublished community_post.created
    community_post.published community_post.subscription_created community_post.unpublished
    community_post.vote_changed community_post.vote_created community_post.vote_removed
    omnichannel_config.omnichannel_routing_feature_changed organization.created organization.custom_field_changed
    organization.deleted organization.external_id_changed organization.name_changed organization.tags_changed
    ticket.agent_assignment_changed ticket.attachment_linked_to_comment ticket.attachment_redacted_from_comment
    ticket.brand_changed ticket.comment_added ticket.comment_made_private ticket.comment_redacted ticket.created
    ticket.custom_field_changed ticket.custom_status_changed ticket.description_changed ticket.email_ccs_changed
    ticket.external_id_changed ticket.followers_changed ticket.form_changed ticket.group_assignment_changed
    ticket.marked_as_spam ticket.merged ticket.next_sla_breach_changed ticket.organization_changed
    ticket.permanently_deleted ticket.priority_changed ticket.problem_link_changed ticket.requester_changed
    ticket.schedule_changed ticket.sla_policy_changed ticket.soft_deleted ticket.status_changed ticket.subject_changed
    ticket.submitter_changed ticket.tags_changed ticket.task_due_at_changed ticket.type_changed ticket.undeleted
    user.active_changed user.alias_changed user.created user.custom_field_changed user.custom_role_changed
    user.default_group_changed user.deleted user.details_changed user.external_id_changed
    user.group_membership_created user.group_membership_deleted user.identity_changed user.identity_created
    user.identity_deleted user.last_login_changed user.merged user.name_changed user.notes_changed
    user.only_private_comments_changed user.organization_membership_created user.organization_membership_deleted
    user.password_changed user.photo_changed user.role_changed user.suspended_changed user.tags_changed
    user.time_zone_changed
`).map((name) => prefix + name);

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
