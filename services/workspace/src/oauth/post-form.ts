import { EndpointFault } from './token-faults.ts';

const MOST_BYTES = 65_536;

/** Posts a form with secrets, and reads an answer of bounded size within the limit. */
export async function postForm(endpoint: string, form: URLSearchParams, limitMs: number) {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: form,
      // The form has secrets, so it is not sent to another address.
      redirect: 'error',
      signal,
    });
    return { isOk: response.ok, status: response.status, headers: response.headers, text: await bounded(response) };
  } catch {
    // The message of the library may contain the sent secrets, so it is left out.
    throw new EndpointFault(
      signal.aborted ? 'the token endpoint did not answer in time' : 'the token endpoint is out of reach',
    );
  }
}

async function bounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    if (length > MOST_BYTES) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
