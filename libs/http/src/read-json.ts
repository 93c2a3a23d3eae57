import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import { isDeeperThan } from './json-depth.ts';

const MOST_LEVELS = bounds.request.jsonLevels;
const JSON_TYPE = /^application\/json\s*((?:;\s*(?:[\w.+-]+\s*=\s*(?:[^\s";,]+|"[^"]*")\s*)?)*)$/i;
const PARAMETER = /;\s*([\w.+-]+)\s*=\s*(?:"([^"]*)"|([^\s";]+))/g;
const UTF_8 = /^utf-?8$/i;

/** The value of a JSON body, or the refusal that names its fault. */
export function readJson(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unreadable('Send the body uncompressed.');
  if (!isJson(headers['content-type']?.trim() ?? '')) {
    throw unreadable('The Content-Type must be application/json, in UTF-8.');
  }
  if (!isUtf8(bytes)) throw unreadable('The body is not valid UTF-8.');
  // Counted before parsing: a parser that recurses is what deep nesting is aimed at.
  if (isDeeperThan(MOST_LEVELS, bytes)) throw unreadable(`The body nests deeper than ${MOST_LEVELS} levels.`);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw unreadable('The body is not valid JSON.');
  }
}

/** Only the charset parameter matters for reading the body. Others are ignored. */
function isJson(type: string): boolean {
  const parameters = JSON_TYPE.exec(type)?.[1];
  if (parameters === undefined) return false;
  return [...parameters.matchAll(PARAMETER)].every(
    ([, name = '', quoted, plain = '']) => name.toLowerCase() !== 'charset' || UTF_8.test(quoted ?? plain),
  );
}

function unreadable(message: string): ApiError {
  return new ApiError('REQUEST_ERROR', { message });
}
