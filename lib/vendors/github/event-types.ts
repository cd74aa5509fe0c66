import { type EventTypes, splitNames } from "../event-types.ts";

/** Values of `X-GitHub-Event` (docs.github.com/webhooks/webhook-events-and-payloads). */
const names = splitNames(`
    branch_protection_configuration branch_protection_rule bypass_request_push_rules bypass_request_secret_scanning
    cache_sync check_run check_suite code_scanning_alert commit_comment content_reference create custom_property
    custom_property_promoted_to_enterprise custom_property_values delete dependabot_alert deploy_key deployment
    deployment_protection_rule deployment_review deployment_status discussion discussion_comment
    dismissal_request_code_scanning dismissal_request_dependabot dismissal_request_secret_scanning enterprise
    exemption_request_push_ruleset exemption_request_secret_scanning fork github_app_authorization gollum installation
    installation_repositories installation_target issue_comment issue_dependencies issue_type issues label
    marketplace_purchase member membership merge_group merge_queue_entry meta milestone org_block organization
    organization_custom_property organization_custom_property_values package package_v2 page_build
    personal_access_token_request ping project project_card project_column projects_v2 projects_v2_item
    projects_v2_status_update public pull_request pull_request_comment pull_request_review pull_request_review_comment
    pull_request_review_thread push registry_package release repository repository_advisory repository_dispatch
    repository_import repository_ruleset repository_vulnerability_alert secret_scanning_alert
    secret_scanning_alert_location secret_scanning_scan security_advisory security_and_analysis sponsorship star status
    sub_issues team team_add user watch workflow_dispatch workflow_job workflow_run
`);

/** All event types. */
export const eventTypes: EventTypes = { names, isComplete: true };
