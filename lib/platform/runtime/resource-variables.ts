/** Names of the environment variables by which a function finds its resources. */
export const resourceVariables = {
  table: "TABLE_NAME",
  bucket: "BUCKET_NAME",
  vectorBucket: "VECTOR_BUCKET_ARN",
  sealKey: "SEAL_KEY_ID",
  resourceMethods: "RESOURCE_METHODS",
  originSecret: "ORIGIN_SECRET",
  metricsNamespace: "METRICS_NAMESPACE",
  scheduleGroup: "SCHEDULE_GROUP",
  scheduleRole: "SCHEDULE_ROLE_ARN",
  scheduleQueue: "SCHEDULE_QUEUE_ARN",
} as const;
