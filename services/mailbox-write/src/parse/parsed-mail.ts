import { searchable, type Searchable } from '@postroom/mail-store/searchable';
import type { MessageBounds } from '@postroom/mime/message-bounds';
import { parseMessage, type ParsedMessage } from '@postroom/mime/message';
import { shownText } from '@postroom/mime/shown-text';
import { withoutInvisible } from '@postroom/mime/invisible';
import { type Preview, previewOf } from './preview.ts';

/** Everything about an email that its raw message alone decides. */
export interface ParsedMail extends ParsedMessage, Searchable, Preview {
  /** The same of the text beside the html: there the mail of one's own tells the signature from what was written. */
  byText: Preview;
}

/** As texts that are made from html have them. */
const LINK_BESIDE_ITS_TEXT = / \[(?:https?|mailto):[^\]\s]*\]/g;

export function readMail(raw: Buffer, limits: MessageBounds): ParsedMail {
  const message = parseMessage(raw, limits);
  const { text, quotedFrom } = shownText(message);
  const shown = previewOf(text.slice(0, quotedFrom), text);
  const plain = withoutInvisible(message.text ?? '').replace(LINK_BESIDE_ITS_TEXT, '');
  const byText = message.html === null || plain.trim() === '' ? shown : previewOf(plain, plain);
  return { ...message, ...shown, byText, ...searchable(message, text) };
}
