import { systemClock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';
import { EndpointFault } from './token-faults.ts';

const MOST_BYTES = 65_536;

/** Posts a form with secrets, and reads an answer of bounded size within the limit. */
export function postForm(endpoint: string, form: URLSearchParams, limitMs: number) {
  const tooLate = () => new EndpointFault('the token endpoint did not answer in time');
  return within({ ms: limitMs, clock: systemClock, tooLate }, (signal) => post(endpoint, form, signal));
}

async function post(endpoint: string, form: URLSearchParams, signal: AbortSignal) {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: form,
      // The form has secrets, so it is not sent to another address. With "error" Node 20 forgets the signal in mid-answer.
      redirect: 'manual',
      signal,
    });
    return { isOk: response.ok, status: response.status, headers: response.headers, text: await bounded(response) };
  } catch {
    // The message of the library may contain the sent secrets, so it is left out.
    throw new EndpointFault('the token endpoint is out of reach');
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
