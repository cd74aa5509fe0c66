/** An error response of S3 Vectors. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_S3_Vectors.html */
export class VectorsFault extends Error {
  override readonly name = "VectorsFault";
  readonly type: keyof typeof statuses;

  constructor(type: keyof typeof statuses, message: string) {
    super(message);
    this.type = type;
  }

  /** HTTP status of the error type. */
  get status(): number {
    return statuses[this.type];
  }
}

const statuses = {
  AccessDeniedException: 403,
  ConflictException: 409,
  NotFoundException: 404,
  ValidationException: 400,
} as const;
