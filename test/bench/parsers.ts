import { messageBounds } from '@postroom/mime/message-bounds';
import { parseMessage } from '@postroom/mime/message';
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';

export type ParserName = 'ours' | 'mailparser' | 'postal-mime';

const AS_THEY_ARE = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true };

/** Each takes a whole message apart and does nothing else with it. */
export const parsers: Readonly<Record<ParserName, (raw: Buffer) => unknown>> = {
  ours: (raw) => parseMessage(raw, messageBounds),
  mailparser: (raw) => simpleParser(raw, AS_THEY_ARE),
  'postal-mime': (raw) => PostalMime.parse(raw),
};
