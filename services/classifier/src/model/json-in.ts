const FENCED = /^\s*```[a-z]*\s*\n?([\s\S]*?)\n?\s*```\s*$/i;

/** Models that know no format put their answer between fences, or a sentence before it. */
export function jsonIn(content: string): unknown {
  const bare = FENCED.exec(content)?.[1] ?? content;
  const cut = bare.slice(Math.max(0, bare.indexOf('{')), bare.lastIndexOf('}') + 1);
  try {
    return JSON.parse(cut);
  } catch {
    return undefined;
  }
}
