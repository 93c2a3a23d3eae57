import type { ApiError } from '@postroom/errors/api-error';

/** The JSON of every refusal, for callers of the API and for the pages of the app. */
interface ErrorBody {
  code: ApiError['code'];
  error: string;
  details?: Readonly<Record<string, unknown>>;
}

/** The only place where a refusal becomes JSON. */
export function errorBody({ code, message, details }: ApiError): ErrorBody {
  return { code, error: message, ...(details && { details }) };
}
