import { type EventTypes, splitNames } from "../event-types.ts";

/** Values of `object_kind` and `event_name` (docs.gitlab.com/user/project/integrations/webhook_events). */
const names = splitNames(`
    access_token build deployment emoji feature_flag issue merge_request milestone note pipeline project push release
    subgroup_create subgroup_destroy tag_push vulnerability wiki_page work_item
    group_create group_destroy group_rename key_create key_destroy project_create project_destroy project_rename
    project_transfer project_update repository_update user_access_request_denied_for_group
    user_access_request_denied_for_project user_access_request_to_group user_access_request_to_project user_add_to_group
    user_add_to_team user_create user_destroy user_failed_login user_remove_from_group user_remove_from_team user_rename
    user_update_for_group user_update_for_team
`);

/** Known event types; others are accepted. */
export const eventTypes: EventTypes = { names, isComplete: false };
