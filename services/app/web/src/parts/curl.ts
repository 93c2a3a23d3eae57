export interface CurlCall {
  /** The base of the REST API; null where nobody told it. */
  apiUrl: string | null;
  method?: string;
  path: string;
  body?: unknown;
}

/** A call as a command line. The key is a variable, so that no secret is copied. */
export function curlOf({ apiUrl, method = 'GET', path, body }: CurlCall): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
  const url = apiUrl === null ? `"$API"${quoted(path)}` : quoted(apiUrl + path);
  return `curl -s${verb} -H "Authorization: Bearer $KEY"${data} ${url}`;
}

/** A shell reads nothing in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
