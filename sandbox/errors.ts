/** A refusal with the body GitLab would send. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`${status}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** 404 as GitLab words it, e.g. `404 Project Not Found`. */
export function notFound(what = ''): ApiError {
  return new ApiError(404, { message: what === '' ? '404 Not found' : `404 ${what} Not Found` });
}

export function forbidden(): ApiError {
  return new ApiError(403, { message: '403 Forbidden' });
}

/** 400 for a field that is missing, in GitLab's words. */
export function notGiven(field: string): ApiError {
  return new ApiError(400, { message: `400 (Bad request) "${field}" not given` });
}

export function badRequest(text: string): ApiError {
  return new ApiError(400, { message: `400 Bad request - ${text}` });
}

/** A call by a path the project no longer has: GET is sent on to its id, other methods are refused. */
export class ProjectMoved extends ApiError {
  readonly location: string;

  constructor(location: string) {
    super(302, { message: `This resource has been moved temporarily to ${location}` });
    this.location = location;
  }
}
