/** Twice what a hundred rules with the longest reasons need. A model writes more when the mail makes it. */
const LONGEST_ANSWER = 128 * 1024;

/** Models that know no format put their answer between fences, or a sentence before it. */
export function jsonIn(content: string): unknown {
  if (content.length > LONGEST_ANSWER) return undefined;
  const cut = content.slice(Math.max(0, content.indexOf('{')), content.lastIndexOf('}') + 1);
  try {
    return JSON.parse(cut);
  } catch {
    return undefined;
  }
}
