/** Where the quoted string that opens here is closed, or -1. */
export function closingQuote(text: string, open: number): number {
  let end = open + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end < text.length ? end : -1;
}

/** Text with its quoted strings taken out of their quotes. One pass, whatever quotes there are. */
export function withoutQuotes(text: string): string {
  let out = '';
  let from = 0;
  for (let open = text.indexOf('"'); open !== -1; open = text.indexOf('"', from)) {
    const close = closingQuote(text, open);
    if (close === -1) break;
    out += text.slice(from, open) + text.slice(open + 1, close).replace(/\\(.)/g, '$1');
    from = close + 1;
  }
  return out + text.slice(from);
}

/** Where the comment that opens here ends, comments within it included; -1 where it does not. */
export function commentEnd(text: string, open: number): number {
  let depth = 0;
  for (let position = open; position < text.length; position++) {
    const character = text[position];
    if (character === '\\') position += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return position + 1;
  }
  return -1;
}
