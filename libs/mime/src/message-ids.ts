/** A line of mail has 998 characters at most (RFC 5322 §2.1.1): what is longer is no id, and cut it would be another one. */
const LONGEST_ID = 998;
const MOST_REFERENCES = 1_000;
const BRACKETED = /<\s*([^<>\s]+)\s*>/g;
// An id is printable, whatever its sender thinks.
const UNPRINTABLE = /[\s\u0000-\u001f\u007f<>]+/g;

/** The ids of a References or In-Reply-To field, in brackets, in their order, each once. */
export function messageIds(field: string | undefined): string[] {
  if (!field) return [];
  const bracketed = [...field.matchAll(BRACKETED)].map((match) => match[1] ?? '');
  // Some programs leave the brackets away; words of a comment are told from ids by their "@".
  const found = bracketed.length > 0 ? bracketed : field.split(/[\s,]+/).filter((word) => word.includes('@'));
  const ids = [...new Set(found.map(bracket).filter((id) => id !== ''))];
  // The first names the conversation and the last ones its newest branch; in between little is lost.
  return ids.length <= MOST_REFERENCES ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MOST_REFERENCES)];
}

/** A message's own id, or '' where it has none. */
export function ownMessageId(field: string | undefined): string {
  if (!field) return '';
  const bracketed = /<\s*([^<>\s]+)\s*>/.exec(field)?.[1];
  return bracket(bracketed ?? field);
}

function bracket(id: string): string {
  const bare = id.replace(UNPRINTABLE, '');
  return bare === '' || bare.length > LONGEST_ID - 2 ? '' : `<${bare}>`;
}
