import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@postroom/errors/api-error';
import { isDeeperThan } from './json-depth.ts';

const MAX_DEPTH = 32;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/** The value of a JSON body, or the refusal that says what about it could not be read. */
export function readJson(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unreadable('Send the body uncompressed.');
  if (!JSON_TYPE.test(headers['content-type']?.trim() ?? '')) {
    throw unreadable('The Content-Type must be application/json, in UTF-8.');
  }
  if (!isUtf8(bytes)) throw unreadable('The body is not valid UTF-8.');
  // Counted before parsing: a parser that recurses is what deep nesting is aimed at.
  if (isDeeperThan(MAX_DEPTH, bytes)) throw unreadable(`The body nests deeper than ${MAX_DEPTH} levels.`);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw unreadable('The body is not valid JSON.');
  }
}

function unreadable(message: string): ApiError {
  return new ApiError('REQUEST_ERROR', { message });
}
